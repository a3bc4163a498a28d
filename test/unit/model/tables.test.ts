import { buildModel } from '../../../runtime/src/generator.js';
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
  unique,
  uniqueIndex,
} from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';

const id = column('id', 'int4');

describe('names of tables (decision 001)', () => {
  it('has the schema in every name, also with one schema', () => {
    const [only] = buildModel(catalog({ tables: [table('kanban.issues', [id])] })).tables;
    expect(only?.descriptor).toMatchObject({ field: 'kanbanIssues', type: 'KanbanIssues' });
    expect(only?.fields).toEqual({
      list: 'kanbanIssues',
      byPk: 'kanbanIssuesByPk',
      connection: 'kanbanIssuesConnection',
      aggregate: 'kanbanIssuesAggregate',
      changes: 'kanbanIssuesChanges',
      create: 'createKanbanIssues',
      createMany: 'createManyKanbanIssues',
      update: 'updateKanbanIssues',
      delete: 'deleteKanbanIssues',
    });
  });

  it('keeps snake_case names where others collide with them, and warns', () => {
    const tables = [table('s.fooBar', [id]), table('s.foo_bar', [id]), table('s.foo bar', [id])];
    const model = buildModel(catalog({ tables }));
    const byName = new Map(model.tables.map(({ descriptor }) => [descriptor.name, descriptor.type]));
    expect(byName.get('foo_bar')).toBe('SFooBar');
    expect(byName.get('fooBar')).toMatch(/^SFooBar_[0-9a-f]{6}$/);
    expect(byName.get('foo bar')).toMatch(/^SFooBar_[0-9a-f]{6}$/);
    expect(model.warnings.map((warning) => warning.code)).toEqual(['NAME_CHANGED', 'NAME_CHANGED']);
  });

  it('lets a table keep its name against one that is called like a type of it', () => {
    const tables = [table('s.issues', [id]), table('s.issues_connection', [id]), table('s.issues_where_input', [id])];
    const types = buildModel(catalog({ tables })).tables.map(({ descriptor }) => descriptor.type);
    expect(types[0]).toBe('SIssues');
    expect(types[1]).toMatch(/^SIssuesConnection_/);
    expect(types[2]).toMatch(/^SIssuesWhereInput_/);
  });

  it('keeps off the names of GraphQL and of the runtime', () => {
    const tables = [table('date.time', [id]), table('page.info', [id]), table('object.type', [id])];
    for (const { descriptor } of buildModel(catalog({ tables })).tables) {
      expect(descriptor.type).toMatch(/_[0-9a-f]{6}$/);
    }
  });

  it('gives files names that every file system takes and tells apart', () => {
    const names = ['issues', 'Issues', 'ISSUES', 'con', '../x', 'a/b', 'a\\b', 'x'.repeat(63), 'é', 'CON', ' '];
    const files = buildModel(catalog({ tables: names.map((name) => table(`s.${name}`, [id])) })).tables;
    const lower = files.map((each) => each.file.toLowerCase());
    expect(new Set(lower).size).toBe(names.length);
    for (const file of lower) {
      expect(file).toMatch(/^[a-z0-9][a-z0-9_-]{0,100}$/);
      expect(file).not.toMatch(/^(con|nul|aux|prn)$/);
    }
    const folder = (schema: string) => buildModel(catalog({ tables: [table(`${schema}.t`, [id])] })).schemas[0]?.folder;
    expect([folder('shared'), folder('runtime'), folder('node_modules')]).toEqual([
      expect.stringMatching(/^shared-/),
      expect.stringMatching(/^runtime-/),
      expect.stringMatching(/^node_modules-/),
    ]);
  });
});

describe('columns', () => {
  it('keep their names, mapped where GraphQL has to', () => {
    const names = ['story_points', 'Just A Model', '1st', 'and', '__proto__', 'constructor'];
    const [only] = buildModel(
      catalog({
        tables: [
          table(
            's.t',
            names.map((name) => column(name)),
          ),
        ],
      }),
    ).tables;
    expect(only?.descriptor.columns.map((each) => [each.name, each.field])).toEqual([
      ['story_points', undefined],
      ['Just A Model', 'Just_A_Model'],
      ['1st', '_1st'],
      ['and', 'and_'],
      ['__proto__', '_u005f_proto__'],
      ['constructor', undefined],
    ]);
  });

  it('say what an insert may leave out and what can never be written', () => {
    const columns = [
      column('a', 'int4', { identity: 'byDefault' }),
      column('b', 'int4', { identity: 'always' }),
      column('c', 'int4', { default: '1' }),
      column('d', 'int4', { generated: 'stored', default: 'a + 1' }),
      column('e', 'int4', { nullable: true }),
      column('f', 'int4', { updatable: false }),
    ];
    const flags = buildModel(catalog({ tables: [table('s.t', columns)] })).tables[0]?.descriptor.columns.map((each) =>
      Object.keys(each).filter((key) => key !== 'name' && key !== 'type'),
    );
    expect(flags).toEqual([
      ['hasDefault'],
      ['hasDefault', 'readOnly'],
      ['hasDefault'],
      ['hasDefault', 'readOnly'],
      ['nullable'],
      ['readOnly'],
    ]);
  });
});

describe('options', () => {
  const projects = table('kanban.projects', [id], { primaryKey: primaryKey('id') });
  const issues = table('kanban.issues', [id, column('project_id', 'int4'), column('secret')], {
    primaryKey: primaryKey('id'),
    uniques: [unique('u', ['secret'])],
    foreignKeys: [foreignKey('fk', ['project_id'], 'kanban.projects', ['id'])],
  });
  const tables = [projects, issues];

  it('rename tables, columns, relations, enums and their values', () => {
    const model = buildModel(
      catalog({
        tables: [
          projects,
          { ...issues, columns: [...issues.columns, column('mood', typeRef('kanban.mood', { kind: 'enum' }))] },
        ],
        enums: [enumType('kanban.mood', ['so so'])],
      }),
      {
        rename: {
          'kanban.issues': { name: 'Issue', columns: { secret: 'hidden' }, relations: { kanbanProjectId: 'project' } },
          'kanban.projects': { field: 'projects' },
          'kanban.mood': { name: 'Mood', values: { 'so so': 'meh' } },
        },
      },
    );
    const [issue, project] = model.tables;
    expect(issue?.descriptor).toMatchObject({ type: 'Issue', field: 'issue' });
    expect(issue?.fields).toMatchObject({ byPk: 'issueByPk', create: 'createIssue' });
    expect(issue?.columns.map((each) => each.field)).toEqual(['id', 'project_id', 'hidden', 'mood']);
    expect(issue?.descriptor.relations?.map((each) => [each.name, each.table])).toEqual([['project', 'projects']]);
    expect(project?.descriptor).toMatchObject({ type: 'KanbanProjects', field: 'projects' });
    expect(model.enums[0]).toMatchObject({ values: ['meh'], descriptor: { type: 'Mood' } });
    expect(model.warnings).toEqual([]);
  });

  it.each([
    ['a table', { 'kanban.issues': { name: 'KanbanProjects' } }],
    ['a type of a table', { 'kanban.issues': { name: 'KanbanProjectsEdge' } }],
    ['a column', { 'kanban.issues': { columns: { secret: 'id' } } }],
    ['a relation', { 'kanban.issues': { relations: { kanbanProjectId: 'id' } } }],
    ['a reserved name', { 'kanban.issues': { name: 'PageInfo' } }],
    ['a word of descriptors', { 'kanban.issues': { name: 'text' } }],
  ])('refuse to rename %s to what is taken', (_what, rename) => {
    const refusal = refusalOf(() => buildModel(catalog({ tables }), { rename }));
    expect([refusal.code, refusal.hint]).toEqual(['NAME_COLLISION', expect.stringContaining('rename')]);
  });

  it.each(['no good', '__x', '1st', ''])('refuse the new name %j, which GraphQL does not allow', (name) => {
    const refusal = refusalOf(() => buildModel(catalog({ tables }), { rename: { 'kanban.issues': { name } } }));
    expect(refusal.code).toBe('CONFIG_INVALID');
  });

  it('leave out tables and columns, and what leans on them', () => {
    const without = (exclude: string) => buildModel(catalog({ tables }), { exclude: [exclude] });
    expect(without('kanban.proj*').tables.map((each) => each.descriptor.name)).toEqual(['issues']);
    expect(without('kanban.proj*').tables[0]?.descriptor.relations).toBeUndefined();
    expect(without('*.*.secret').tables[0]?.descriptor).not.toHaveProperty('uniques');
    expect(without('*.*.secret').tables[0]?.columns.map((each) => each.field)).toEqual(['id', 'project_id']);
    expect(without('kanban.issues.project_id').tables.flatMap((each) => each.relations)).toEqual([]);
    expect(without('kanban.issues.id').tables[0]?.descriptor.primaryKey).toBeUndefined();
    expect(without('kanban.issues.id').warnings).toEqual([expect.objectContaining({ code: 'LEFT_OUT' })]);
  });

  it('know view columns that are never null', () => {
    const view = table('kanban.v', [column('a', 'text', { nullable: true })], {
      kind: 'view',
      insertable: false,
      updatable: false,
    });
    const nullable = (notNull: readonly string[]) =>
      buildModel(catalog({ tables: [view] }), { notNull }).tables[0]?.columns[0]?.nullable;
    expect([nullable([]), nullable(['kanban.v.a'])]).toEqual([true, false]);
  });

  it('show enum labels in upper case where asked to', () => {
    const enums = [enumType('s.mood', ['in_progress', 'true', '1st'])];
    const facts = { tables: [table('s.t', [column('c', typeRef('s.mood', { kind: 'enum' }))])], enums };
    expect(buildModel(catalog(facts)).enums[0]?.descriptor.values).toEqual([
      { label: 'in_progress' },
      { label: 'true', name: 'true_' },
      { label: '1st', name: '_1st' },
    ]);
    expect(buildModel(catalog(facts), { enumOutput: 'upper' }).enums[0]?.values).toEqual([
      'IN_PROGRESS',
      'TRUE',
      '_1ST',
    ]);
  });

  it('warn of what names nothing', () => {
    const model = buildModel(catalog({ tables }), {
      rename: { 'kanban.isues': { name: 'X' }, 'kanban.issues': { columns: { nope: 'x' } } },
      exclude: ['kanban.gone'],
    });
    expect(model.warnings.map((warning) => [warning.code, warning.message])).toEqual([
      ['OPTION_UNUSED', expect.stringContaining('kanban.issues: nope')],
      ['OPTION_UNUSED', expect.stringContaining('kanban.isues')],
      ['EXCLUDE_UNMATCHED', expect.stringContaining('kanban.gone')],
    ]);
  });
});

describe('tables that are special', () => {
  it('serves a table without columns over REST alone', () => {
    const model = buildModel(catalog({ tables: [table('s.empty', [])] }));
    expect(model.tables[0]).toMatchObject({ graphql: false, descriptor: { columns: [] } });
    expect(model.warnings).toEqual([expect.objectContaining({ code: 'NOT_IN_GRAPHQL' })]);
  });

  it('does not order by what PostgreSQL can not sort', () => {
    const columns = [column('a', 'json'), column('b', 'xml'), column('c', 'point'), column('d', 'json[]')];
    const [only] = buildModel(catalog({ tables: [table('s.t', columns)] })).tables;
    expect(only?.orderable).toBe(false);
  });

  it('excludes names with dots by a pattern of their schema', () => {
    const tables = [table('s.t', [id]), { ...table('s.t', [id]), name: 'with.dot' }, table('other.t', [id])];
    const model = buildModel(catalog({ tables }), { exclude: ['s.*'] });
    expect(model.tables.map(({ descriptor }) => descriptor.schema)).toEqual(['other']);
    const columns = buildModel(catalog({ tables: [table('s.t', [id, column('a.b')])] }), { exclude: ['s.t.*b'] });
    expect(columns.tables[0]?.columns.map(({ descriptor }) => descriptor.name)).toEqual(['id']);
  });

  it('takes complete unique indexes for keys, and tells keys that no upsert can name', () => {
    const facts = {
      primaryKey: { name: 'pk', columns: ['id'], deferrable: true as const },
      uniques: [unique('late', ['a'], { deferrable: true })],
      indexes: [
        uniqueIndex('plain', ['b']),
        uniqueIndex('partial', ['c'], 'c > 0'),
        uniqueIndex('computed', [null]),
        { ...uniqueIndex('otherwise', ['d']), comparesOtherwise: true as const },
        { ...uniqueIndex('excluded', ['e']), method: 'gist' },
        uniqueIndex('late', ['a']),
      ],
      exclusions: [{ name: 'excluded', definition: 'UNIQUE (e WITHOUT OVERLAPS)' }],
    };
    const columns = [id, ...['a', 'b', 'c', 'd', 'e'].map((name) => column(name))];
    const [only] = buildModel(catalog({ tables: [table('s.t', columns, facts)] })).tables;
    expect(only?.descriptor).toMatchObject({ uniques: [{ name: 'plain' }], unmergedKeys: [['id'], ['a']] });
  });

  it('leaves deferrable constraints out of what an upsert can name', () => {
    const uniques = [unique('now', ['id']), unique('later', ['id'], { deferrable: true })];
    const [only] = buildModel(catalog({ tables: [table('s.t', [id], { uniques })] })).tables;
    expect(only?.descriptor.uniques?.map((each) => each.name)).toEqual(['now']);
  });
});

describe('routines (decision 005)', () => {
  const issues = table('kanban.issues', [id, column('title')]);
  const row = typeRef('kanban.issues', { kind: 'composite' });

  it('makes a function of one row a field of the table', () => {
    const routines = [
      routine('kanban.issues_reference', {
        kind: 'function',
        volatility: 'stable',
        arguments: [argument('issue', row)],
        returns: typeRef('text'),
      }),
      routine('kanban.title', {
        kind: 'function',
        volatility: 'immutable',
        signature: 'i',
        arguments: [argument('i', row)],
        returns: typeRef('text'),
      }),
      routine('kanban.issues_all', {
        kind: 'function',
        volatility: 'stable',
        arguments: [argument('i', row)],
        returns: typeRef('text'),
        returnsSet: true,
      }),
    ];
    const model = buildModel(catalog({ tables: [issues], routines }));
    const computed = model.tables[0]?.descriptor.computed ?? [];
    expect(computed.map((each) => each.function.name)).toEqual(['issues_reference', 'title']);
    expect(computed[0]?.name).toBe('reference');
    expect(computed[1]?.name).toMatch(/^title_[0-9a-f]{6}$/);
    expect(model.procedures).toEqual([]);
  });

  it('makes no field of a VOLATILE function, and says how to mend it', () => {
    const named = (name: string) =>
      routine(`kanban.${name}`, {
        kind: 'function',
        signature: 'issue kanban.issues',
        arguments: [argument('issue', row)],
        returns: typeRef('text'),
      });
    const model = buildModel(catalog({ tables: [issues], routines: [named('Purge'), named('issues_archive')] }));
    expect(model.tables[0]?.descriptor.computed).toBeUndefined();
    expect(model.warnings).toEqual([
      {
        code: 'LEFT_OUT',
        message:
          'VOLATILE functions are not fields of their rows, because reading a field must not write. Left out: kanban.Purge, kanban.issues_archive.',
        hint: 'Mark a function that only reads as STABLE, and generate again: alter function kanban."Purge"(issue kanban.issues) stable; List the others in exclude.',
      },
    ]);
    const many = Array.from({ length: 7 }, (_, at) => named(`f${at}`));
    const messages = buildModel(catalog({ tables: [issues], routines: many })).warnings.map(({ message }) => message);
    expect(messages).toEqual([expect.stringMatching(/kanban\.f4 and 2 more\.$/)]);
  });

  it('exposes procedures, and functions only when listed', () => {
    const routines = [
      routine('shop.place_order', { arguments: [argument('customer', 'int4'), argument('', 'int4', 'out')] }),
      routine('shop.total', { kind: 'function', arguments: [argument('n', 'int4')], returns: typeRef('int8') }),
    ];
    const fields = (functions: readonly string[]) => {
      const model = buildModel(catalog({ routines }), { functions });
      return [...model.procedures, ...model.functions].map((each) => each.descriptor.field);
    };
    expect(fields([])).toEqual(['callShopPlaceOrder']);
    expect(fields(['shop.*'])).toEqual(['callShopPlaceOrder', 'callShopTotal']);
    const [place] = buildModel(catalog({ routines })).procedures;
    expect(place?.descriptor.arguments.map((each) => [each.name, each.field, each.mode])).toEqual([
      ['customer', undefined, 'in'],
      ['', 'arg2', 'out'],
    ]);
  });

  it('tells overloads apart by their signature', () => {
    const routines = ['a integer', 'a text'].map((signature) => routine('s.p', { signature }));
    const model = buildModel(catalog({ routines }));
    const fields = model.procedures.map((each) => each.descriptor.field);
    expect(new Set(fields).size).toBe(2);
    for (const field of fields) expect(field).toMatch(/^callSP_[0-9a-f]{6}$/);
    expect(model.warnings).toHaveLength(2);
  });

  it('leaves out what no client can call, and says so', () => {
    const odd = typeRef('internal', { kind: 'pseudo' });
    const model = buildModel(catalog({ routines: [routine('s.p', { arguments: [argument('a', odd)] })] }));
    expect(model.procedures).toEqual([]);
    expect(model.warnings).toEqual([expect.objectContaining({ code: 'LEFT_OUT' })]);
  });
});
