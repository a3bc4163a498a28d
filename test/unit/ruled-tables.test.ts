import { graphqlSync } from 'graphql';
import type { Dialect } from '../../runtime/src/dialect/dialect.js';
import { mysql } from '../../runtime/src/dialect/mysql/dialect.js';
import { postgres } from '../../runtime/src/dialect/postgres/dialect.js';
import type { Registry, Table } from '../../runtime/src/descriptor/registry.js';
import type { RowFilter } from '../../runtime/src/plan/context.js';
import { columnExpression } from '../../runtime/src/plan/read/columns.js';
import { createCompiler } from '../../runtime/src/request/graphql/compile.js';
import { createPrepare } from '../../runtime/src/server/prepare.js';
import { Documents, type Shape } from '../oracle/rules/documents.js';
import { readRelations } from '../oracle/rules/relations.js';
import { Random } from '../oracle/random.js';
import type { OracleColumn } from '../oracle/schema.js';
import { describeCase } from '../support/describe-database.js';
import { settingsWith } from '../support/intents.js';
import { schemaOf } from '../support/live-schema.js';

/**
 * Wherever a table with a rule enters a statement, the condition of the rule is beside it: random
 * documents through every relation of a case, compiled for both databases.
 */

const ruledColumn = (table: Table): string => table.columns.at(-1)?.name ?? '';

/** A rule for every table: its last column is null. */
const rules: RowFilter = {
  condition: (table) => ({
    kind: 'operation',
    operator: 'isNull',
    operand: columnExpression(table, ruledColumn(table)),
    parameters: [],
  }),
  written: () => undefined,
  hidden: () => undefined,
  shape: () => 'ruled',
  conditions: new Map(),
  kept: (_cache, _shape, make) => make(),
};

/** The tables of a statement whose rule is missing. */
function unruled(text: string, registry: Registry): readonly string[] {
  const normal = text.replaceAll('`', '"');
  return [...normal.matchAll(/"(\w+)"\."(\w+)" as "(r\d+)"/g)].flatMap(([found, schema, name, row = '']) => {
    const table = registry.tables.find((each) => each.schema === schema && each.name === name);
    if (table === undefined) return [`${found}, which is no table`];
    const rule = new RegExp(`"${row}"\\."${ruledColumn(table)}"[^ ]* is (?:not distinct from )?null`);
    return rule.test(normal) ? [] : [found];
  });
}

const kinds: Readonly<Partial<Record<string, OracleColumn['kind']>>> = { int: 'int', text: 'text' };

const columnsOf = ({ columns }: Table): readonly OracleColumn[] =>
  columns.flatMap(({ name, type, field }) => {
    const kind = kinds[type.kind];
    if (kind === undefined || name === 'id' || (field ?? name) !== name) return [];
    return [{ name, kind, required: false, hasDefault: false, unique: false }];
  });

const dialects: readonly Dialect[] = [postgres, mysql];

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (_name, dialect) => {
  test.each(['relations', 'board'])('the tables of %s have their rules', async (name) => {
    const described = describeCase(name);
    const { registry } = described;
    const schema = schemaOf(described);
    const settings = settingsWith({ 'app.graphql.max-estimated-rows': 2_000_000_000 });
    const usable = registry.tables.filter((table) => columnsOf(table).length > 0);
    const types = await readRelations(
      (source) => Promise.resolve(graphqlSync({ schema, source })),
      usable.map(({ type }) => type),
    );
    const shapes = usable.flatMap((table, at): readonly Shape[] => {
      const found = types[at];
      if (found === undefined) return [];
      const hasKey = table.primaryKey?.columns.join() === 'id' && found.columns.includes('id');
      return [{ ...found, table: { name: table.name, columns: columnsOf(table) }, hasKey }];
    });
    const documents = new Documents(new Random(44), shapes);
    const compile = createCompiler(schema, registry, settings);
    const prepare = createPrepare({ registry, settings, dialect });
    let tables = 0;
    for (let at = 0; at < 150; at += 1) {
      const query = documents.query();
      const compiled = compile({ query });
      if ('errors' in compiled) throw new Error(`${query}: ${compiled.errors.join('\n')}`);
      const { intent } = compiled.build();
      if (intent === undefined) continue;
      const { text } = prepare(intent, rules);
      expect([query, unruled(text, registry)]).toEqual([query, []]);
      tables += text.split(/ as .r\d+/).length - 1;
    }
    expect(tables).toBeGreaterThan(150);
  });
});
