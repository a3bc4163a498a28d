import { describe, expect, test } from '@jest/globals';
import { ServerError } from '../../../runtime/src/errors.js';
import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { explainFailure } from '../../../runtime/src/response/explain-failure.js';
import { errorAnswer } from '../../../runtime/src/response/rest-error.js';
import { toServerError } from '../../../runtime/src/response/server-error.js';
import type { SlotSyntax } from '../../../runtime/src/plan/statement.js';
import { settingsWith } from '../../support/intents.js';
import { boardRegistry } from '../../support/registry.js';

/** A database error as drivers throw it, with values and SQL in every text. */
const databaseError = (code: string, fields: Record<string, string> = {}): Error =>
  Object.assign(new Error('secret value in SELECT * FROM hidden'), {
    code,
    detail: 'Key (a)=(secret) exists',
    ...fields,
  });

// Decision 006.
test.each([
  ['23505', 409],
  ['23503', 409],
  ['23P01', 409],
  ['23502', 400],
  ['23514', 400],
  ['42501', 403],
  ['40001', 409],
  ['40P01', 409],
  ['57014', 504],
  ['08006', 503],
  ['57P01', 503],
  ['53300', 503],
  ['2201B', 400],
  ['22025', 400],
  ['22P02', 500],
  ['22003', 500],
  ['22007', 500],
  ['22008', 500],
  ['42703', 500],
  ['42P01', 500],
  ['XX000', 500],
  ['55P03', 409],
  ['25006', 503],
  ['53400', 500],
  ['42601', 500],
  ['0A000', 500],
  ['42704', 500],
  ['3F000', 500],
])('SQLSTATE %s is answered %i, with nothing of the database in it', (code, status) => {
  const error = toServerError(databaseError(code), postgres);
  expect(error).toMatchObject({ status, code });
  expect(String(errorAnswer(error).body)).not.toMatch(/secret|SELECT|hidden/);
});

test.each(['40001', '40P01', '55P03', '25006', '08006', '57P01', '53300'])('%s asks to come again', (code) => {
  expect(toServerError(databaseError(code), postgres).headers).toHaveProperty('retry-after');
});

describe('a value in a language that the database parses', () => {
  const slots = (syntax: SlotSyntax) => [{ bind: () => null, subject: 'column "document"', syntax }];
  const known = { registry: boardRegistry, settings: settingsWith(), dialect: postgres };
  const answered = (error: Error, syntax: SlotSyntax) =>
    explainFailure(error, { does: 'read', slots: slots(syntax) }, known);

  test('malformed, it is the client’s mistake', () => {
    expect(answered(databaseError('42601'), 'tsquery')).toMatchObject({ status: 400 });
    const where = "unnamed portal parameter $1 = '$2'";
    expect(answered(databaseError('42704', { where }), 'configuration')).toMatchObject({
      ...{ status: 400, message: 'No such full-text search configuration.', details: 'About column "document".' },
    });
    expect(answered(databaseError('22P02', { where }), 'jsonpath')).toMatchObject({ status: 400 });
  });

  test('a syntax error of the statement itself is ours, and one inside a function its author’s', () => {
    expect(answered(databaseError('42601', { position: '8' }), 'tsquery')).toMatchObject({ status: 500 });
    const where = 'PL/pgSQL function speak() line 3 at RAISE';
    expect(answered(databaseError('42601', { where }), 'tsquery')).toMatchObject({ status: 500 });
  });
});

test('a code of five capitals that no database sent is a defect, not a rule of the database', () => {
  expect(toServerError(databaseError('AB123'), postgres)).toMatchObject({ status: 500 });
  expect(toServerError(databaseError('AB123', { severity: 'ERROR' }), postgres)).toMatchObject({ status: 400 });
});

test('names of the catalogue are shown', () => {
  const error = toServerError(databaseError('23505', { constraint: 'users_email_key', table: 'users' }), postgres);
  expect(error.details).toBe('About constraint "users_email_key", table "users".');
});

test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET'])(
  '%s means that the database is not there',
  (code) => {
    const error = toServerError(
      Object.assign(new Error('connect to 10.0.0.1'), { code, syscall: 'connect' }),
      postgres,
    );
    expect(error).toMatchObject({ status: 503, code: 'TW013', headers: { 'retry-after': '1' } });
    expect(error.message).not.toContain('10.0.0.1');
  },
);

test('everything else says nothing', () => {
  expect(toServerError(new TypeError('x is undefined'), postgres)).toMatchObject({ status: 500, code: 'TW500' });
  expect(toServerError('a string', postgres).message).not.toContain('a string');
  expect(toServerError(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' }), postgres).status).toBe(
    500,
  );
});

test('a ServerError is what it is', () => {
  const error = new ServerError(404, 'TW001', 'There is no table.', { hint: 'Look.' });
  expect(toServerError(error)).toBe(error);
  expect(errorAnswer(error)).toEqual({
    status: 404,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: '{"code":"TW001","message":"There is no table.","details":null,"hint":"Look."}',
  });
});
