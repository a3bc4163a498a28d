import { createLogger } from '../../../runtime/src/observe/logger.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { ServerError } from '../../../runtime/src/errors.js';

type Level = 'silent' | 'error' | 'warn' | 'info' | 'debug';

function written(level: Level, observation: Observation): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  createLogger({ 'app.log.level': level }, { write: (line) => lines.push(line) })(observation);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const request: Observation = {
  kind: 'request',
  id: 'a',
  method: 'GET',
  route: '/api/v1',
  template: '/api/v1/{table}',
  status: 200,
  milliseconds: 1,
};

test('each observation is one line', () => {
  expect(written('info', { kind: 'listening', address: 'http://here' })).toMatchObject([
    { level: 30, address: 'http://here' },
  ]);
  expect(written('info', { kind: 'warning', message: 'careful', hint: 'so' })).toMatchObject([
    { level: 40, msg: 'careful', hint: 'so' },
  ]);
  expect(written('info', { kind: 'shutdown', phase: 'closed' })).toMatchObject([{ level: 30, phase: 'closed' }]);
});

test('answered requests are told at debug', () => {
  expect(written('info', request)).toEqual([]);
  expect(written('debug', request)).toMatchObject([{ level: 20, requestId: 'a', method: 'GET', status: 200 }]);
});

test('a failure is told with what caused it', () => {
  const error = new ServerError(500, 'XX000', 'The database reported an error.', { cause: new Error('the cause') });
  expect(written('error', { kind: 'failure', requestId: 'a', error })).toMatchObject([
    { level: 50, requestId: 'a', err: { message: 'the cause' } },
  ]);
  expect(written('silent', { kind: 'failure', error })).toEqual([]);
});

test('a client that left before it was answered is told at info, not as a failure', () => {
  expect(written('info', { ...request, status: 499 })).toMatchObject([
    { level: 30, requestId: 'a', status: 499, msg: 'client closed request' },
  ]);
});
