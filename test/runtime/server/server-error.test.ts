import { ServerError } from '../../../templates/runtime/errors.js';
import { errorAnswer } from '../../../templates/runtime/response/rest-error.js';
import { toServerError } from '../../../templates/runtime/response/server-error.js';

/** A database error as drivers throw it, with values and SQL in every text. */
const databaseError = (code: string, fields: Record<string, string> = {}): Error =>
  Object.assign(new Error('secret value in SELECT * FROM hidden'), {
    code,
    detail: 'Key (a)=(secret) exists',
    ...fields,
  });

// Decisions 6, "Status map".
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
  ['42601', 400],
  ['2201B', 400],
  ['22025', 400],
  ['22P02', 500],
  ['22003', 500],
  ['22007', 500],
  ['22008', 500],
  ['42703', 500],
  ['42P01', 500],
  ['XX000', 500],
  ['P0001', 500],
])('SQLSTATE %s is answered %i, with nothing of the database in it', (code, status) => {
  const error = toServerError(databaseError(code));
  expect(error).toMatchObject({ status, code });
  expect(String(errorAnswer(error).body)).not.toMatch(/secret|SELECT|hidden/);
});

test.each(['40001', '40P01', '08006', '57P01', '53300'])('%s asks to come again', (code) => {
  expect(toServerError(databaseError(code)).headers).toHaveProperty('retry-after');
});

test('a syntax error of the statement itself is ours, not the client’s', () => {
  expect(toServerError(databaseError('42601', { position: '8' }))).toMatchObject({ status: 500 });
});

test('names of the catalogue are shown', () => {
  const error = toServerError(databaseError('23505', { constraint: 'users_email_key', table: 'users' }));
  expect(error.details).toBe('About constraint "users_email_key", table "users".');
});

test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET'])(
  '%s means that the database is not there',
  (code) => {
    const error = toServerError(Object.assign(new Error('connect to 10.0.0.1'), { code, syscall: 'connect' }));
    expect(error).toMatchObject({ status: 503, code: 'TW013', headers: { 'retry-after': '1' } });
    expect(error.message).not.toContain('10.0.0.1');
  },
);

test('everything else says nothing', () => {
  expect(toServerError(new TypeError('x is undefined'))).toMatchObject({ status: 500, code: 'TW500' });
  expect(toServerError('a string').message).not.toContain('a string');
  expect(toServerError(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' })).status).toBe(500);
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
