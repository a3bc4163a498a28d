import { buildASTSchema, parse, type GraphQLInputObjectType, type GraphQLSchema } from 'graphql';
import type { Catalog, Table } from '../../../runtime/src/catalog/catalog.js';
import { emitProject } from '../../../src/emit/index.js';
import { buildModel, type ModelOptions } from '../../../runtime/src/generator.js';
import {
  argument,
  catalog,
  column,
  composite,
  enumType,
  foreignKey,
  primaryKey,
  routine,
  table,
  typeRef,
  unique,
} from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';

const emit = (facts: Partial<Catalog>, options?: ModelOptions): ReadonlyMap<string, string> =>
  emitProject(buildModel(catalog(facts), options), {
    catalog: '{}',
    settings: {},
  });

const schemaOf = (facts: Partial<Catalog>, options?: ModelOptions): GraphQLSchema =>
  buildASTSchema(parse(emit(facts, options).get('schema.graphql') ?? ''));

/** For example `{ title: 'String!' }`: the fields of an input, or the arguments of a mutation. */
function fieldsOf(schema: GraphQLSchema, name: string): Readonly<Record<string, string>> | undefined {
  const type = schema.getType(name) as GraphQLInputObjectType | undefined;
  const fields = type === undefined ? undefined : Object.values(type.getFields());
  return fields && Object.fromEntries(fields.map((field) => [field.name, String(field.type)]));
}

function mutation(schema: GraphQLSchema, name: string): string | undefined {
  const field = schema.getMutationType()?.getFields()[name];
  return (
    field && `(${field.args.map((each) => `${each.name}: ${String(each.type)}`).join(', ')}): ${String(field.type)}`
  );
}

const mutations = (schema: GraphQLSchema): readonly string[] =>
  Object.keys(schema.getMutationType()?.getFields() ?? {}).sort();

const valuesOf = (schema: GraphQLSchema, name: string): readonly string[] => {
  const type = schema.getType(name);
  return type !== undefined && 'getValues' in type ? type.getValues().map((value) => value.name) : [];
};

const id = column('id', 'int4', { identity: 'byDefault' });
const projects = table('kanban.projects', [id, column('key')], {
  primaryKey: primaryKey('id'),
  uniques: [unique('projects key', ['key'])],
});
const issues = table(
  'kanban.issues',
  [
    column('id', 'int4', { identity: 'always' }),
    column('project_id', 'int4'),
    column('title'),
    column('note', 'text', { nullable: true }),
    column('made', 'timestamptz', { default: 'now()' }),
    column('points', 'numeric', { nullable: true }),
    column('words', 'tsvector', { nullable: true }),
    column('total', 'int4', { generated: 'stored', default: '1' }),
  ],
  {
    primaryKey: primaryKey('id'),
    foreignKeys: [foreignKey('issues_project_id_fkey', ['project_id'], 'kanban.projects', ['id'])],
  },
);
const both = { tables: [projects, issues] };

describe('inputs of rows (decision 005)', () => {
  const schema = schemaOf(both);

  it('has what a client may write, required unless it may be left out', () => {
    expect(fieldsOf(schema, 'KanbanIssuesCreateInput')).toEqual({
      project_id: 'Int',
      title: 'String!',
      note: 'String',
      made: 'DateTime',
      points: 'Numeric',
      kanbanProjectId: 'KanbanProjectsNestedCreateInput',
    });
  });

  it('requires a foreign key that no row inside or around can fill', () => {
    const alone = schemaOf({ tables: [{ ...projects, insertable: false }, issues] });
    expect(fieldsOf(alone, 'KanbanIssuesCreateInput')).toMatchObject({ project_id: 'Int!' });
    expect(fieldsOf(alone, 'KanbanIssuesCreateInput')).not.toHaveProperty('kanbanProjectId');
  });

  it('takes rows inside rows: one for a relation to one, a list for a relation to many', () => {
    expect(fieldsOf(schema, 'KanbanProjectsNestedCreateInput')).toEqual({
      data: 'KanbanProjectsCreateInput',
      onConflict: 'KanbanProjectsOnConflictInput',
      connect: 'KanbanProjectsKeyInput',
      connectOrCreate: 'KanbanProjectsConnectOrCreateInput',
    });
    expect(fieldsOf(schema, 'KanbanProjectsCreateInput')).toEqual({
      id: 'Int',
      key: 'String!',
      kanbanIssues: 'KanbanIssuesNestedCreateManyInput',
    });
    expect(fieldsOf(schema, 'KanbanIssuesNestedCreateManyInput')).toEqual({
      data: '[KanbanIssuesCreateInput!]',
      onConflict: 'KanbanIssuesOnConflictInput',
      connect: '[KanbanIssuesKeyInput!]',
      connectOrCreate: '[KanbanIssuesConnectOrCreateInput!]',
    });
  });

  it('takes one row inside a row for a relation that is one to one', () => {
    const facts = { ...issues, uniques: [unique('one', ['project_id'])] };
    const one = schemaOf({ tables: [projects, facts] });
    expect(fieldsOf(one, 'KanbanProjectsCreateInput')).toMatchObject({ kanbanIssues: 'KanbanIssuesNestedCreateInput' });
  });

  it('leads through a junction table, where rows of that can be inserted', () => {
    const labels = table('kanban.labels', [id, column('name')], { primaryKey: primaryKey('id') });
    const junction = table('kanban.tags', [column('project_id', 'int4'), column('label_id', 'int4')], {
      primaryKey: primaryKey('project_id', 'label_id'),
      foreignKeys: [
        foreignKey('tags_project_id_fkey', ['project_id'], 'kanban.projects', ['id']),
        foreignKey('tags_label_id_fkey', ['label_id'], 'kanban.labels', ['id']),
      ],
    });
    const fields = (tables: readonly Table[]) => fieldsOf(schemaOf({ tables }), 'KanbanProjectsCreateInput');
    expect(fields([projects, labels, junction])).toEqual({
      id: 'Int',
      key: 'String!',
      kanbanTags: 'KanbanTagsNestedCreateManyInput',
      kanbanLabelsViaTags: 'KanbanLabelsNestedCreateManyInput',
    });
    expect(fields([projects, labels, { ...junction, insertable: false }])).toEqual({ id: 'Int', key: 'String!' });
    expect(fields([projects, { ...labels, insertable: false }, junction])).not.toHaveProperty('kanbanLabelsViaTags');
  });

  it('says what becomes of related rows inside an update: what the database allows, and nothing else', () => {
    expect(fieldsOf(schema, 'KanbanIssues_kanbanProjectIdInput')).toEqual({
      update: 'KanbanProjectsUpdateInput',
      upsert: 'KanbanProjectsNestedUpsertInput',
      connect: 'KanbanProjectsKeyInput',
      connectOrCreate: 'KanbanProjectsConnectOrCreateInput',
      create: 'KanbanProjectsCreateInput',
    });
    expect(fieldsOf(schema, 'KanbanProjects_kanbanIssuesInput')).toEqual({
      delete: '[KanbanIssuesKeyInput!]',
      update: '[KanbanIssuesNestedUpdateInput!]',
      upsert: '[KanbanIssuesNestedUpsertManyInput!]',
      connect: '[KanbanIssuesKeyInput!]',
      connectOrCreate: '[KanbanIssuesConnectOrCreateInput!]',
      create: '[KanbanIssuesCreateInput!]',
    });
    expect(fieldsOf(schema, 'KanbanIssuesNestedUpsertManyInput')).toEqual({
      where: 'KanbanIssuesKeyInput!',
      create: 'KanbanIssuesCreateInput!',
      update: 'KanbanIssuesUpdateInput!',
    });
    expect(fieldsOf(schema, 'KanbanIssuesKeyInput')).toEqual({ id: 'Int' });
    const nullable = issues.columns.map((each) => (each.name === 'project_id' ? { ...each, nullable: true } : each));
    const optional = schemaOf({ tables: [projects, { ...issues, columns: nullable }] });
    expect(fieldsOf(optional, 'KanbanIssues_kanbanProjectIdInput')).toMatchObject({
      disconnect: 'Boolean',
      delete: 'Boolean',
    });
    expect(fieldsOf(optional, 'KanbanProjects_kanbanIssuesInput')).toMatchObject({
      disconnect: '[KanbanIssuesKeyInput!]',
    });
    const alone = schemaOf({
      tables: [
        { ...projects, primaryKey: null, uniques: [] },
        { ...issues, foreignKeys: [] },
      ],
    });
    expect(Object.keys(alone.getTypeMap()).filter((name) => /_|KeyInput/.test(name) && !name.startsWith('__'))).toEqual(
      [],
    );
  });

  it('updates every column that can be written, and adds to numbers', () => {
    expect(fieldsOf(schema, 'KanbanIssuesUpdateInput')).toEqual({
      project_id: 'Int',
      title: 'String',
      note: 'String',
      made: 'DateTime',
      points: 'Numeric',
      kanbanProjectId: 'KanbanIssues_kanbanProjectIdInput',
    });
    expect(fieldsOf(schema, 'KanbanIssuesIncInput')).toEqual({ project_id: 'Int', points: 'Numeric' });
    const text = schemaOf({ tables: [table('s.t', [column('a')])] });
    expect(mutation(text, 'updateST')).toBe('(where: STWhereInput, input: STUpdateInput!, atMost: Int): [ST!]');
  });

  it('names constraints and columns of a conflict', () => {
    expect(fieldsOf(schema, 'KanbanProjectsOnConflictInput')).toEqual({
      constraint: 'KanbanProjectsConstraint!',
      updateColumns: '[KanbanProjectsUpdateColumn!]',
      update_columns: '[KanbanProjectsUpdateColumn!]',
      where: 'KanbanProjectsWhereInput',
    });
    expect(valuesOf(schema, 'KanbanProjectsConstraint')).toEqual(['pk', 'projects_key']);
    expect(valuesOf(schema, 'KanbanIssuesUpdateColumn')).toEqual(['project_id', 'title', 'note', 'made', 'points']);
  });

  it('takes enums, arrays, JSON, ranges and composites as what they are', () => {
    const colours = enumType('s.colour', ['red']);
    const address = composite('s.address', { street: 'text' });
    const everything = table('s.t', [
      column('colour', typeRef('s.colour', { kind: 'enum' })),
      column('tags', typeRef('text', { array: true })),
      column('data', 'jsonb'),
      column('during', typeRef('int4range', { kind: 'range' })),
      column('home', typeRef('s.address', { kind: 'composite' })),
    ]);
    const input = fieldsOf(
      schemaOf({ tables: [everything], enums: [colours], composites: [address] }),
      'STCreateInput',
    );
    expect(input).toEqual({
      colour: 'SColour!',
      tags: '[String]!',
      data: 'JSON!',
      during: 'IntRangeInput!',
      home: 'SAddressInput!',
    });
  });
});

describe('mutations of a table (decision 005)', () => {
  const schema = schemaOf(both);

  it('are create, createMany, update and delete', () => {
    expect(mutations(schema)).toEqual([
      'createKanbanIssues',
      'createKanbanProjects',
      'createManyKanbanIssues',
      'createManyKanbanProjects',
      'deleteKanbanIssues',
      'deleteKanbanProjects',
      'updateKanbanIssues',
      'updateKanbanProjects',
    ]);
    expect(mutation(schema, 'createKanbanProjects')).toBe(
      '(input: KanbanProjectsCreateInput!, onConflict: KanbanProjectsOnConflictInput): KanbanProjects',
    );
    expect(mutation(schema, 'createManyKanbanProjects')).toBe(
      '(inputs: [KanbanProjectsCreateInput!]!, onConflict: KanbanProjectsOnConflictInput): [KanbanProjects!]!',
    );
    expect(mutation(schema, 'updateKanbanProjects')).toBe(
      '(where: KanbanProjectsWhereInput, id: Int, input: KanbanProjectsUpdateInput!, inc: KanbanProjectsIncInput, atMost: Int): [KanbanProjects!]',
    );
    expect(mutation(schema, 'deleteKanbanProjects')).toBe(
      '(where: KanbanProjectsWhereInput, id: Int, atMost: Int): [KanbanProjects!]',
    );
  });

  it('have no id where the key is not one column', () => {
    const facts = { ...projects, primaryKey: primaryKey('id', 'key') };
    expect(mutation(schemaOf({ tables: [facts] }), 'deleteKanbanProjects')).toBe(
      '(where: KanbanProjectsWhereInput, atMost: Int): [KanbanProjects!]',
    );
  });

  it('are those that the table allows', () => {
    const facts = { ...projects, insertable: false, updatable: false };
    expect(mutations(schemaOf({ tables: [facts] }))).toEqual(['deleteKanbanProjects']);
    expect(schemaOf({ tables: [{ ...facts, deletable: false }] }).getMutationType()).toBeUndefined();
  });

  it('do not insert into what has no column to give', () => {
    const facts = table('s.t', [column('id', 'int4', { identity: 'always' })]);
    expect(mutations(schemaOf({ tables: [facts] }))).toEqual(['deleteST']);
  });

  it('have one line each in the resolver', () => {
    const text = emit(both).get('kanban/issues.table.ts') ?? '';
    expect(text.match(/return ctx\.write\(info\);/g)).toHaveLength(4);
  });
});

describe('calls of procedures (decision 005)', () => {
  const facts = {
    tables: [projects],
    routines: [
      routine('kanban.close', {
        kind: 'procedure',
        arguments: [
          argument('Issue Id', 'int4'),
          { ...argument('note', 'text'), hasDefault: true },
          argument('closed', 'int4', 'out'),
          argument('total', 'numeric', 'inout'),
        ],
      }),
    ],
  };

  it('take what goes in, under its own name, and answer text', () => {
    expect(mutation(schemaOf(facts), 'callKanbanClose')).toBe('(Issue_Id: Int, note: String, total: Numeric): String');
    expect(emit(facts).get('kanban/index.ts')).toContain('ProceduresResolver');
  });

  it('keep off the mutations of tables', () => {
    const rename = { 'kanban.close': { name: 'createKanbanProjects' } };
    expect(refusalOf(() => buildModel(catalog(facts), { rename }))).toMatchObject({ code: 'NAME_COLLISION' });
  });
});
