import { groupWarnings } from '../../../runtime/src/model/warning-groups.js';
import { notInGraphql, unusedRename } from '../../../runtime/src/model/warnings.js';

test('499 tables without columns are one warning with a count', () => {
  const names = Array.from({ length: 499 }, (_, at) => `bare.t${String(at)}`);
  expect(groupWarnings([...names.map(notInGraphql), unusedRename('kanban.users')])).toEqual([
    {
      message: '499 tables have no columns: GraphQL has no types without fields, so only REST serves them.',
      hint: 'Give it a column, or list it in exclude.',
      names,
    },
    {
      message: 'The configuration renames kanban.users, which does not exist.',
      hint: 'Correct the name, or remove the entry from rename.',
      names: [],
    },
  ]);
});
