import { askedPlan } from '../../../runtime/src/request/rest/grammar/asked-plan.js';

test.each([undefined, '', '*/*', 'application/json', 'application/vnd.pgrst.plan+xml', 'application/vnd.pgrst.planet'])(
  '%s asks for no plan',
  (accept) => {
    expect(askedPlan(accept)).toBeUndefined();
  },
);

const json = { format: 'json', details: [], form: 'application/json' };

test.each([
  ['application/vnd.pgrst.plan', { ...json, format: 'text' }],
  ['application/vnd.pgrst.plan+json', json],
  ['Application/VND.pgrst.Plan+JSON ; ', json],
  // The media types that supabase-js sends, with and without options.
  ['application/vnd.pgrst.plan+text; for="text/csv"; options=;', { ...json, format: 'text', form: 'text/csv' }],
  [
    'application/vnd.pgrst.plan+json; for="application/json"; options=verbose|analyze|costs;',
    { ...json, details: ['analyze', 'verbose'] },
  ],
  [
    'application/vnd.pgrst.plan+json;options="wal|buffers|settings"',
    { ...json, details: ['settings', 'buffers', 'wal'] },
  ],
  [
    'application/vnd.pgrst.plan+json; options=verbose|statement',
    { ...json, details: ['verbose'], withStatement: true },
  ],
  ['application/vnd.pgrst.plan+json; for="a;b=c"', { ...json, form: 'a;b=c' }],
])('%s', (accept, expected) => {
  expect(askedPlan(accept)).toEqual(expected);
});
