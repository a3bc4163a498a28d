import { expect, test } from '@jest/globals';
import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';

const variables = ['request.user_id', 'request.project_id', 'request.jwt.claims', 'role'];

// Decision 007: a missing claim is set to the empty text, so that no earlier value of the session
// is
// visible.
test.each([
  ['nobody', {}, ['', '', '', null]],
  ['a user', { userId: 'ada' }, ['ada', '', '', null]],
  ['a user in a role', { userId: 'ada', projectId: '7', claims: '{}', role: 'reader' }, ['ada', '7', '{}', 'reader']],
])('the identity of %s sets every variable, and the role, for its transaction', (_who, identity, values) => {
  const [statement, ...more] = postgres.identity(identity);
  expect(more).toEqual([]);
  expect(statement?.values).toEqual(values);
  const set = [...(statement?.text ?? '').matchAll(/set_config\('([\w.]+)', \$(\d), true\)/g)];
  expect(set.map(([, name, at]) => [name, at])).toEqual(variables.map((name, at) => [name, String(at + 1)]));
});
