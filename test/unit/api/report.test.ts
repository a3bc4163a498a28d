import { parse, Source } from 'graphql';
import type { Catalog, RoutineArgument, Table } from '../../../runtime/src/catalog/catalog.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { reportApi, type ApiReport, type ApiState, type Recorded } from '../../../src/api/index.js';
import { compareSchemas, schemaOf } from '../../../src/api/graphql-changes.js';
import { apiMarkdown } from '../../../src/cli/api-markdown.js';
import { apiLines, statLines } from '../../../src/cli/api-text.js';
import { createTerminal } from '../../../src/cli/terminal.js';
import {
  argument,
  catalog,
  column,
  enumType,
  foreignKey,
  primaryKey,
  routine,
  table,
  typeRef,
} from '../../support/catalog.js';

const state = (facts: Partial<Catalog>): ApiState => {
  const whole = catalog(facts);
  return { catalog: whole, model: buildModel(whole) };
};

const id = column('id', 'int4');
const status = column('status', typeRef('s.status', { kind: 'enum' }));
const base = table('s.t', [id, column('name'), status, column('note')], { primaryKey: primaryKey('id') });
const labels = [enumType('s.status', ['open', 'closed'])];
const report = (now: Table, enums = labels, recorded?: Recorded): ApiReport =>
  reportApi(state({ tables: [base], enums: labels }), state({ tables: [now], enums }), recorded);

const seen = ({ changes }: ApiReport): readonly string[] =>
  changes.map(({ severity, protocol, table: of, column: member, code }) =>
    [severity, protocol, of ?? '-', member ?? '-', code].join(' '),
  );

const documents = (...texts: readonly string[]): Recorded => ({
  documents: texts.map((text, at) => parse(new Source(text, `${String(at)}.graphql`))),
  rest: [],
});

const { colors } = createTerminal({ write: () => true }, { write: () => true }, {});

describe('reportApi', () => {
  it('finds nothing where nothing has changed', () => {
    const nothing = report(base);
    expect(nothing).toMatchObject({ breaking: false, changes: [], renames: [], operations: undefined });
    expect(apiLines(nothing, colors.out, false)).toEqual(['Clients of the API see no difference.']);
    expect(apiMarkdown(nothing)).toContain('API: no difference');
  });

  it('breaks nobody where nothing was served before', () => {
    const now = state({ tables: [base], enums: labels });
    const first = reportApi(state({}), now);
    expect(first.counts.breaking).toBe(0);
    expect(seen(first)).toContain('safe rest s.t - TABLE_ADDED');
    expect(reportApi(now, state({})).breaking).toBe(true);
  });

  it('names table, column and reason of a column that is gone, on both protocols', () => {
    const gone = report({ ...base, columns: [id, status, column('note')] });
    expect(gone.breaking).toBe(true);
    expect(seen(gone)).toContain('breaking graphql s.t name FIELD_REMOVED');
    expect(seen(gone)).toContain('breaking rest s.t name COLUMN_REMOVED');
    expect(new Set(gone.changes.map(({ reason }) => reason))).toEqual(new Set(['The column s.t.name is gone.']));
    expect(gone.groups).toHaveLength(1);
  });

  it('a new column that may be null is dangerous by the rules of graphql-js, and safe over REST', () => {
    const more = report({ ...base, columns: [...base.columns, column('more', 'text', { nullable: true })] });
    expect(more.breaking).toBe(false);
    expect(seen(more)).toContain('safe graphql s.t more FIELD_ADDED');
    expect(seen(more)).toContain('dangerous graphql s.t more OPTIONAL_INPUT_FIELD_ADDED');
    expect(seen(more)).toContain('safe rest s.t more COLUMN_ADDED');
  });

  it('a column that has to be given breaks those who insert', () => {
    const required = report({ ...base, columns: [...base.columns, column('more')] });
    expect(seen(required)).toContain('breaking graphql s.t more REQUIRED_INPUT_FIELD_ADDED');
    expect(seen(required)).toContain('breaking rest s.t more REQUIRED_COLUMN_ADDED');
  });

  it('an argument of a function breaks both protocols where it has no default', () => {
    const calling = (...given: readonly RoutineArgument[]): ApiState => {
      const returns = typeRef('text');
      const facts = { kind: 'function', volatility: 'stable', arguments: given, returns } as const;
      const whole = catalog({ tables: [base], enums: labels, routines: [routine('s.f', facts)] });
      return { catalog: whole, model: buildModel(whole, { functions: ['s.*'] }) };
    };
    const [a, b] = [argument('a', 'text'), argument('b', 'text')];
    const codes = (before: ApiState, after: ApiState) =>
      reportApi(before, after).changes.map(({ severity, protocol, code }) => [severity, protocol, code].join(' '));
    expect(codes(calling(a), calling(a, { ...b, hasDefault: true })).sort()).toEqual([
      'dangerous graphql OPTIONAL_ARG_ADDED',
      'safe rest FUNCTION_ARGUMENT_ADDED',
    ]);
    expect(codes(calling(a), calling(a, b)).sort()).toEqual([
      'breaking graphql FUNCTION_ARGUMENT_REQUIRED',
      'breaking rest FUNCTION_ARGUMENT_REQUIRED',
      'dangerous graphql OPTIONAL_ARG_ADDED',
    ]);
    expect(codes(calling(a), calling(argument('a', 'int4'))).sort()).toEqual([
      'breaking graphql ARG_CHANGED_KIND',
      'breaking rest FUNCTION_CHANGED',
    ]);
    expect(codes(state({ tables: [base], enums: labels }), calling(a)).sort()).toEqual([
      'safe graphql FIELD_ADDED',
      'safe rest FUNCTION_ADDED',
    ]);
    expect(codes(calling(a), state({ tables: [base], enums: labels })).sort()).toEqual([
      'breaking graphql FIELD_REMOVED',
      'breaking rest FUNCTION_REMOVED',
    ]);
  });

  it('a label is told with the column that has its enum', () => {
    const fewer = report(base, [enumType('s.status', ['open', 'closed', 'late'])]);
    expect(seen(fewer)).toEqual(
      expect.arrayContaining([
        'dangerous graphql s.t status VALUE_ADDED_TO_ENUM',
        'dangerous rest s.t status ENUM_VALUE_ADDED',
      ]),
    );
  });

  it('a subscription comes and goes with the key of its table, where there is a change feed', () => {
    const fed = (now: Table): ApiState => ({ ...state({ tables: [now] }), settings: { 'app.changes.source': 'wal' } });
    const keyed = table('s.t', [id, column('name')], { primaryKey: primaryKey('id') });
    const other = table('s.u', [id], { primaryKey: primaryKey('id') });
    const both = (now: Table): ApiState => ({ ...fed(now), ...state({ tables: [now, other] }) });
    const lost = reportApi(fed(keyed), fed({ ...keyed, primaryKey: null }));
    const removed = {
      severity: 'breaking',
      protocol: 'graphql',
      code: 'FIELD_REMOVED',
      object: 's.t',
      table: 's.t',
      column: null,
      description: 'Subscription.sTChanges was removed.',
      reason: 'The primary key of s.t was (id) and is now ().',
    };
    expect(lost.changes).toContainEqual(removed);
    expect(reportApi(both(keyed), both({ ...keyed, primaryKey: null })).changes).toContainEqual(removed);
    const given = reportApi(fed({ ...keyed, primaryKey: null }), fed(keyed));
    expect(given.changes.map(({ severity, description }) => `${severity} ${description}`)).toContain(
      'safe Subscription.sTChanges was added.',
    );
    const unfed = reportApi(state({ tables: [keyed] }), state({ tables: [{ ...keyed, primaryKey: null }] }));
    expect(JSON.stringify(unfed)).not.toContain('Subscription');
    expect(reportApi(fed(keyed), fed(keyed)).changes).toEqual([]);
  });

  it('groups both names of what was renamed', () => {
    const renamed = report({ ...base, columns: [id, column('title'), status, column('note')] });
    expect(renamed.renames).toMatchObject([{ kind: 'column', certain: true }]);
    expect(renamed.groups).toHaveLength(1);
    expect(apiLines(renamed, colors.out, false)[0]).toBe(
      "breaking  s.t.name is renamed to title: it has the old column's place in the table, and added columns come last.",
    );
  });

  it('a second foreign key makes embedding over REST ambiguous', () => {
    const people = table('s.people', [id], { primaryKey: primaryKey('id') });
    const keyed = (...names: readonly string[]) => ({
      tables: [
        table('s.t', [id, ...names.map((name) => column(name, 'int4', { nullable: true }))], {
          foreignKeys: names.map((name) => foreignKey(`t_${name}_fkey`, [name], 's.people', ['id'])),
        }),
        people,
      ],
    });
    const second = reportApi(state(keyed('a_id')), state(keyed('a_id', 'b_id')));
    for (const name of ['people', 't']) {
      const description = `Embedding ${name} without a hint is ambiguous now, and refused with 400.`;
      expect(second.changes).toContainEqual(
        expect.objectContaining({ severity: 'breaking', protocol: 'rest', description }),
      );
    }
  });

  it('global identifiers come without harm, and break who used them when they go', () => {
    const whole = catalog({ tables: [base], enums: labels });
    const off = state({ tables: [base], enums: labels });
    const on: ApiState = { catalog: whole, model: buildModel(whole, { relay: {} }) };
    const told = ({ changes }: ApiReport) =>
      changes.map(({ severity, code, table: of, description }) => [severity, code, of, description]).sort();
    const added = reportApi(off, on);
    expect(told(added)).toEqual([
      ['safe', 'FIELD_ADDED', null, 'Query.node was added.'],
      ['safe', 'FIELD_ADDED', null, 'Query.nodes was added.'],
      ['safe', 'FIELD_ADDED', 's.t', 'ST.nodeId was added.'],
      ['safe', 'IMPLEMENTED_INTERFACE_ADDED', 's.t', 'Node added to interfaces implemented by ST.'],
    ]);
    const gone = reportApi(on, off, documents('{ node(id: "x") { nodeId } }', '{ sT { id } }'));
    expect(told(gone)).toEqual([
      ['breaking', 'FIELD_REMOVED', null, 'Query.node was removed.'],
      ['breaking', 'FIELD_REMOVED', null, 'Query.nodes was removed.'],
      ['breaking', 'FIELD_REMOVED', 's.t', 'ST.nodeId was removed.'],
      ['breaking', 'IMPLEMENTED_INTERFACE_REMOVED', 's.t', 'ST no longer implements interface Node.'],
      ['breaking', 'TYPE_REMOVED', null, 'Node was removed.'],
      // Nothing else of this model is an ID.
      ['breaking', 'TYPE_REMOVED', null, 'Standard scalar ID was removed because it is not referenced anymore.'],
    ]);
    expect(gone.operations).toMatchObject({ checked: 2, breaking: 1, broken: [{ file: '0.graphql' }] });
  });

  it('an interface that was there is dangerous to take: its fragments find other rows', () => {
    const types = 'interface Named { id: Int! } type Query { sT: ST }';
    const before = schemaOf(`${types} type ST { id: Int! }`);
    const after = schemaOf(`${types} type ST implements Named { id: Int! }`);
    expect(compareSchemas(before, after)).toMatchObject([
      { severity: 'dangerous', code: 'IMPLEMENTED_INTERFACE_ADDED', type: 'ST' },
    ]);
  });

  it('the committed schema tells what a changed configuration breaks', () => {
    const now = state({ tables: [base], enums: labels });
    const schema = 'type Query { old: Int }';
    const changed = reportApi({ ...now, schema }, now);
    expect(changed.changes).toContainEqual(
      expect.objectContaining({
        severity: 'breaking',
        table: null,
        description: 'Query.old was removed.',
        reason: expect.stringMatching(/^The configuration or the generator gives other names/) as string,
      }),
    );
  });
});

describe('recorded operations', () => {
  const without = (recorded: Recorded) =>
    report({ ...base, columns: [id, status, column('note')] }, labels, recorded).operations;

  it('are told by file and line, also in a fragment of another file', () => {
    const found = without(
      documents('query A { sT { id } }\n\nquery B {\n  sT { ...F }\n}', '\nfragment F on ST { name }'),
    );
    expect(found).toMatchObject({
      checked: 2,
      breaking: 1,
      broken: [{ file: '1.graphql', line: 2, operation: 'query B', begins: { file: '0.graphql', line: 3 } }],
    });
  });

  it('break where the type of a field they select can be null now', () => {
    const nullable = { ...base, columns: [id, column('name', 'text', { nullable: true }), status, column('note')] };
    const { operations } = report(nullable, labels, documents('{ sT { id\n name } }', '{ sT { id } }'));
    expect(operations).toMatchObject({
      breaking: 1,
      broken: [{ line: 2, message: 'ST.name changed type from String! to String.' }],
    });
  });

  it('do not break by what never was in the generated schema', () => {
    expect(without(documents('{ weather sT { votes } }'))).toEqual({ checked: 1, breaking: 0, broken: [] });
  });

  it('over REST break by the names that they use', () => {
    const use = { file: 'usage.jsonl', line: 7, method: 'GET', table: 's.t' };
    const rest = (...names: readonly string[]): Recorded => ({
      documents: [],
      rest: [{ ...use, uses: names.map((name) => ({ table: 's.t', name })) }],
    });
    expect(without(rest('id', 'name'))).toMatchObject({
      breaking: 1,
      broken: [{ file: 'usage.jsonl', line: 7, protocol: 'rest', operation: 'GET s.t' }],
    });
    expect(without(rest('id'))).toMatchObject({ breaking: 0 });
  });
});

describe('forms', () => {
  const gone = (): ApiReport =>
    report({ ...base, columns: [id, status, column('note')] }, labels, documents('query B { sT { name } }'));

  it('--stat counts by table', () => {
    const lines = statLines(gone(), colors.out);
    expect(lines[1]).toMatch(/^s\.t +\d+ +0 +0$/);
    expect(lines.at(-1)).toBe('1 of 1 recorded operations breaks');
  });

  it('the comment escapes what a database may name', () => {
    const odd = column('<img>|@all`');
    const before = state({ tables: [table('s.t', [id, odd])] });
    const text = apiMarkdown(reportApi(before, state({ tables: [table('s.t', [id])] })));
    expect(text).not.toMatch(/<img>|[^\\]@all/);
    expect(text).toContain('&lt;img&gt;\\|\\@all\\`');
  });

  it('the comment has the operations', () => {
    expect(apiMarkdown(gone())).toContain('- `0.graphql:1` query B: Cannot query field "name" on type "ST".');
  });
});
