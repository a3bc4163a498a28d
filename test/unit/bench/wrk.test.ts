import { parseWrk, wrkScript } from '../../../bench/harness/wrk.js';

describe('the script for wrk', () => {
  it('makes every request before the first is sent', () => {
    const script = wrkScript([
      { method: 'GET', path: '/api/v1/customers/7', headers: { prefer: 'count=exact' } },
      { method: 'POST', path: '/graphql', headers: {}, body: '{"query":"{ a }"}' },
    ]);
    expect(script).toContain(
      'wrk.format([=[\nGET]=], [=[\n/api/v1/customers/7]=], {[ [=[\nprefer]=] ] = [=[\ncount=exact]=]})',
    );
    expect(script).toContain('wrk.format([=[\nPOST]=], [=[\n/graphql]=], {}, [=[\n{"query":"{ a }"}]=])');
  });

  it('quotes text that holds the end of a quotation', () => {
    expect(wrkScript([{ method: 'POST', path: '/', headers: {}, body: 'a]=]b]==]c' }])).toContain(
      '[===[\na]=]b]==]c]===]',
    );
  });
});

describe('what wrk prints', () => {
  it('has requests, seconds, errors and milliseconds', () => {
    expect(parseWrk('Running 1s test\n\nRESULT 1500 1000000 3 1250 8000\n')).toEqual({
      requests: 1500,
      seconds: 1,
      errors: 3,
      p50: 1.25,
      p99: 8,
    });
  });

  it('is shown when it is something else', () => {
    expect(() => parseWrk('unable to connect')).toThrow('unable to connect');
  });
});
