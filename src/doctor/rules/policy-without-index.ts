import type { Policy, Table } from '@tablewright/runtime/model';
import { createIndex, isIndexed } from '../create-index.js';
import type { Found, Rule } from '../finding.js';
import { listed, pathOf, quoted } from '../quote.js';
import {
  comparedColumns,
  comparedInSelects,
  readCondition,
  type Alternatives,
  type ColumnName,
} from '../sql/comparisons.js';
import { isTable, policiesOf } from '../subject.js';

export const policyWithoutIndex: Rule = {
  code: 'policy-without-index',
  severities: ['warning'],
  title: 'Policies that compare columns without an index',
  why: 'The condition of a policy is part of every statement on the table. Without an index on the column that it compares, each of them reads the whole table.',
  find: (subject) => {
    const tables = new Map(subject.catalog.tables.map((table) => [pathOf(table), table]));
    const found = new Map<string, { readonly table: Table; readonly column: string; readonly policies: string[] }>();
    for (const { table: own, policy } of policiesOf(subject)) {
      for (const alternatives of required(own, policy)) {
        const known = alternatives.flatMap((each) => usable(tables, each));
        const [first] = known;
        if (first === undefined || known.some(({ table, column }) => isIndexed(table, [column]))) continue;
        const key = pathOf(first.table, first.column);
        const entry = found.get(key) ?? { ...first, policies: [] };
        entry.policies.push(`${policy.name} of ${pathOf(own)}`);
        found.set(key, entry);
      }
    }
    return [...found.values()].map(({ table, column, policies }): Found => ({
      severity: 'warning',
      kind: 'column',
      object: pathOf(table, column),
      message: `No index begins with ${pathOf(table, column)}, which is compared by the ${policies.length === 1 ? 'policy' : 'policies'} ${listed([...new Set(policies)])}.`,
      remedy: createIndex(table, `(${quoted(column)})`),
    }));
  },
};

function required(table: Table, policy: Policy): readonly Alternatives[] {
  const condition = readCondition(policy);
  const texts = [policy.using, policy.check].filter((text) => text !== null);
  const own = condition === null || readsEverything(table, policy) ? undefined : comparedColumns(table, condition);
  return [...(own ?? []), ...texts.flatMap(comparedInSelects)];
}

/**
 * Permissive policies are joined by OR: if one of them has no index, an index for another does not
 * help.
 */
function readsEverything({ name, schema, rowSecurity, ...table }: Table, { roles, permissive }: Policy): boolean {
  const own = { ...table, name, schema, rowSecurity };
  return (
    permissive &&
    rowSecurity.policies.some(
      (other) =>
        other.permissive &&
        (other.command === 'all' || other.command === 'select') &&
        [...roles, ...other.roles].some(
          (role) => role === 'public' || (roles.includes(role) && other.roles.includes(role)),
        ) &&
        comparedColumns(own, other.using ?? '') === undefined,
    )
  );
}

/**
 * The column and its table, if the table can have the index. A column that a policy compares as
 * text has to be of the type varchar.
 */
function usable(
  tables: ReadonlyMap<string, Table>,
  { table: path, column, asText }: ColumnName,
): readonly { readonly table: Table; readonly column: string }[] {
  const table = tables.get(path);
  const type = table?.columns.find(({ name }) => name === column)?.type.name;
  if (table === undefined || type === undefined || !isTable(table)) return [];
  return asText && type !== 'varchar' ? [] : [{ table, column }];
}
