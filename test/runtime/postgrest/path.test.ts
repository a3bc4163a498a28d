import { postgrestPath } from '../../../runtime/src/extensions/postgrest/path.js';
import { isProjectKey } from '../../../runtime/src/extensions/postgrest/project-key.js';

const pathOf = (path: string | undefined): string | undefined =>
  postgrestPath(path === undefined ? {} : { 'app.rest.postgrest': path });

test('no setting, no mount', () => {
  expect([pathOf(undefined), pathOf('')]).toEqual([undefined, undefined]);
});

test.each(['/rest/v1', '/rest', '/a/b-c/d.e'])('%s is a path', (path) => {
  expect(pathOf(path)).toBe(path);
});

test.each(['rest', '/', '/rest/', '//', '/a b', '/a?b', '/a//b'])('%s is no path', (path) => {
  expect(() => pathOf(path)).toThrow('is not a path');
});

test.each(['/graphql', '/api', '/api/v1', '/api/v1/pg', '/health/x'])('%s is taken', (path) => {
  expect(() => pathOf(path)).toThrow('is the place of');
});

test.each([
  [{ apikey: 'key', authorization: 'Bearer key' }, true],
  [{ apikey: 'key', authorization: 'bearer  key ' }, true],
  [{ apikey: 'key' }, false],
  [{ authorization: 'Bearer key' }, false],
  [{ apikey: 'key', authorization: 'Bearer other' }, false],
  [{ apikey: 'key', authorization: 'Basic key' }, false],
  [{ apikey: 'a.b.c', authorization: 'Bearer a.b.c' }, false],
])('%j: only the key of a project is %s', (headers, expected) => {
  expect(isProjectKey(headers)).toBe(expected);
});
