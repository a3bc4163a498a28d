import { buildModel, type ModelOptions } from '../../../runtime/src/generator.js';
import type { Table } from '../../../runtime/src/catalog/catalog.js';
import { catalog, column, foreignKey, primaryKey, table } from '../../support/catalog.js';
import { refusalOf } from '../../support/refusal.js';
import { emitGraphqlSchema } from '../../../src/emit/index.js';

const keyed = (path: string, ...columns: readonly string[]): Table =>
  table(path, [column('id', 'int4'), ...columns.map((name) => column(name))], { primaryKey: primaryKey('id') });

const model = (tables: readonly Table[], options: ModelOptions) => buildModel(catalog({ tables }), options);

test('tables and views with a key have the field, others have not', () => {
  const tables = [
    keyed('app.issues'),
    table('app.log', [column('line')]),
    table('app.totals', [column('issue_id', 'int4')], { kind: 'view' }),
  ];
  const nodeIds = (options: ModelOptions) =>
    model(tables, options).tables.map(({ descriptor: { name, nodeId } }) => [name, nodeId]);
  const keys = { 'app.totals': ['issue_id'] };
  expect(nodeIds({ relay: {}, keys })).toEqual([
    ['issues', 'nodeId'],
    ['log', undefined],
    ['totals', 'nodeId'],
  ]);
  expect(nodeIds({ relay: { nodeId: 'globalId' } })).toEqual([
    ['issues', 'globalId'],
    ['log', undefined],
    ['totals', undefined],
  ]);
  expect(nodeIds({ keys }).map(([, nodeId]) => nodeId)).toEqual([undefined, undefined, undefined]);
});

test('nothing of it is in a schema without the key', () => {
  const text = emitGraphqlSchema(model([keyed('app.issues')], {})).text;
  expect(text).not.toMatch(/\bNode\b|\bnodes?\(|nodeId/);
});

test('without a table with a key there is no interface', () => {
  const { text } = emitGraphqlSchema(model([table('app.log', [column('line')])], { relay: {} }));
  expect(text).not.toMatch(/\bNode\b|\bnodes?\(/);
});

test('a column keeps its name: the configuration has to choose another', () => {
  expect(() => model([keyed('app.issues')], { relay: { nodeId: 'id' } })).toThrow(
    'The column id of app.issues is the field id, and relay.nodeId gives the global identifier of its rows the same name.',
  );
  expect(() => model([keyed('app.issues', 'node_id')], { names: { columns: 'camel' }, relay: {} })).toThrow(
    'The column node_id of app.issues is the field nodeId',
  );
  const renamed = { rename: { 'app.issues': { columns: { id: 'number' } } }, relay: { nodeId: 'id' } };
  expect(model([keyed('app.issues')], renamed).tables[0]?.descriptor.nodeId).toBe('id');
});

test('so does a relation, and its aggregates', () => {
  const comments = table('app.comments', [column('id', 'int4'), column('issue_id', 'int4')], {
    primaryKey: primaryKey('id'),
    foreignKeys: [foreignKey('comments_issue', ['issue_id'], 'app.issues', ['id'])],
  });
  for (const nodeId of ['comments', 'commentsAggregate'])
    expect(() => model([keyed('app.issues'), comments], { names: { relations: 'simple' }, relay: { nodeId } })).toThrow(
      `The relation comments of app.issues is the field ${nodeId}`,
    );
});

test('a name that GraphQL does not allow is refused', () => {
  for (const nodeId of ['', '1st', '__id', 'node-id'])
    expect(() => model([keyed('app.issues')], { relay: { nodeId } })).toThrow('which GraphQL does not allow as a name');
});

test('a table called like the interface or a root field gets another name, with a warning', () => {
  const tables = [keyed('app.node'), keyed('app.nodes'), keyed('app.issues')];
  const names = { schemaPrefix: 'never' } as const;
  const { warnings, tables: built } = model(tables, { names, relay: {} });
  const types = built.map(({ descriptor: { type, field } }) => [type, field]);
  expect(types.flat()).not.toEqual(expect.arrayContaining(['Node']));
  expect(types.flat()).not.toEqual(expect.arrayContaining(['node']));
  expect(types.flat()).not.toEqual(expect.arrayContaining(['nodes']));
  expect(warnings.filter(({ code }) => code === 'NAME_CHANGED').map(({ message }) => message.split(' ')[0])).toEqual([
    'app.node',
    'app.nodes',
  ]);
  expect(model(tables, { names }).tables.map(({ descriptor }) => descriptor.type)).toEqual(['Issues', 'Node', 'Nodes']);
});

test.each([{ name: 'Node' }, { field: 'node' }, { field: 'nodes' }])('%j of `rename` is refused', (name) => {
  const rename = { 'app.issues': name };
  const options = { names: { schemaPrefix: 'never' }, rename } as const;
  expect(model([keyed('app.issues')], options).tables).toHaveLength(1);
  const taken = Object.values(name)[0] ?? '';
  expect(refusalOf(() => model([keyed('app.issues')], { ...options, relay: {} }))).toMatchObject({
    code: 'NAME_COLLISION',
    message: `The configuration renames app.issues so that it needs the name ${taken}, which GraphQL or tablewright itself has.`,
    hint: "Choose another name in rename['app.issues'].",
  });
});
