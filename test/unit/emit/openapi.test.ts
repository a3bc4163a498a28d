import { buildModel, emitOpenapi, type ModelOptions } from '../../../runtime/src/generator.js';
import { componentKey } from '../../../runtime/src/openapi/component-key.js';
import { OperationIds } from '../../../runtime/src/openapi/operation-ids.js';
import { usedComponents } from '../../../runtime/src/openapi/used-components.js';
import type { Catalog } from '../../../runtime/src/catalog/catalog.js';
import { catalog, column, primaryKey, table } from '../../support/catalog.js';
import type { Document, Operation } from '../../e2e/openapi/document.js';
import { parametersOf } from '../../e2e/openapi/requests.js';

const describeApi = (facts: Partial<Catalog>, options?: ModelOptions): Document =>
  JSON.parse(emitOpenapi(buildModel(catalog(facts), options))) as Document;

const key = (...columns: readonly string[]) => ({ primaryKey: primaryKey(...columns) });

const notes = table(
  'app.notes',
  [
    column('id', 'int4', { default: '1' }),
    column('title', 'text'),
    column('body', 'text', { nullable: true }),
    column('made', 'timestamptz', { default: '1' }),
  ],
  key('id'),
);

const namesOf = (document: Document, operation: Operation | undefined, required?: boolean): readonly string[] =>
  parametersOf(document, operation)
    .filter((each) => required === undefined || (each.required === true) === required)
    .map(({ name }) => name);

describe('the schemas of a table', () => {
  const { schemas } = describeApi({ tables: [notes] }).components;

  it('requires every column of a row that is read', () => {
    expect(schemas['AppNotes']?.required).toEqual(['id', 'title', 'body', 'made']);
    expect(schemas['AppNotes']?.properties?.['body']).toEqual({ type: ['string', 'null'] });
  });

  it('requires of a row that is written what the database needs', () => {
    expect(schemas['AppNotes.Insert']).toEqual({
      allOf: [{ $ref: '#/components/schemas/AppNotes.Update' }],
      required: ['title'],
    });
    expect(schemas['AppNotes.Replace']?.required).toEqual(['title', 'body', 'made']);
    expect(schemas['AppNotes.Update']?.required).toBeUndefined();
  });
});

describe('the parameters of operations', () => {
  const document = describeApi({ tables: [notes] });
  const item = document.paths['/notes'] ?? {};
  const filters = ['id', 'title', 'body', 'made', 'or', 'and'];

  it('has the same filters in GET, PATCH and DELETE, and the key alone, required, in PUT', () => {
    for (const method of ['get', 'patch', 'delete'])
      expect(namesOf(document, item[method])).toEqual(expect.arrayContaining(filters));
    expect(namesOf(document, item['put'])).toEqual(['id', 'select', 'Prefer', 'If-Match']);
    expect(namesOf(document, item['put'], true)).toEqual(['id']);
    expect(namesOf(document, item['post'])).toEqual(['columns', 'on_conflict', 'select', 'Prefer']);
  });

  it('quotes the name of a column that is called like a parameter', () => {
    const odd = table('app.odd', [column('order', 'int4'), column('a b', 'text')], key('order'));
    const described = describeApi({ tables: [odd] });
    expect(namesOf(described, described.paths['/odd']?.['get'])).toEqual(
      expect.arrayContaining(['"order"', 'a b', 'order']),
    );
  });

  it('names the one schema of a table, and all of them where tables share a path', () => {
    const several = describeApi({
      tables: [
        notes,
        table('blog.notes', [column('id', 'text')], key('id')),
        table('blog.posts', [column('id', 'uuid')], key('id')),
      ],
    });
    const schemaOf = (path: string) =>
      parametersOf(several, several.paths[path]?.['get']).find(({ name }) => name === 'Accept-Profile')?.schema?.enum;
    expect(schemaOf('/posts')).toEqual(['blog']);
    expect(schemaOf('/notes')).toEqual(['app', 'blog']);
  });

  it('names the operators that a kind of column takes', () => {
    const { schemas } = document.components;
    expect(schemas['Filter.text']?.description).toContain('`like`');
    expect(schemas['Filter.int']?.description).not.toContain('`like`');
    expect(schemas['Filter.uuid']).toBeUndefined();
  });
});

test('every operation has a summary, a description, and errors by name', () => {
  const { paths } = describeApi({ tables: [notes] });
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect(operation.summary).not.toBe('');
    expect(operation.description).not.toBe('');
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '406', '409', '500', '503', '504', 'default']),
    );
  }
});

test('comments are text where Markdown is read', () => {
  const commented = table('app.notes', [column('id', 'int4', { comment: 'One <b>two</b> <SCRIPT>x()</script>' })]);
  const { schemas } = describeApi({ tables: [commented] }).components;
  expect(schemas['AppNotes']?.properties?.['id']?.description).toBe('One <b>two</b> &lt;SCRIPT>x()&lt;/script>');
});

test('no two operations have one name', () => {
  const ids = new OperationIds(['a', 'aById', 'a_ById']);
  expect([ids.of('a', ''), ids.of('a', 'ById'), ids.of('aById', ''), ids.of('aById', 'ById')]).toEqual([
    'a',
    'a__ById',
    'aById',
    'aByIdById',
  ]);
});

test('names of components tell names of schemas apart', () => {
  const names = ['a b', 'a_b', 'a-20-b', 'a%20b', 'é', 'e\u0301', '🚀', '"', '__proto__'];
  const keys = names.map((name) => componentKey(name, 'Accept-Profile'));
  expect(new Set(keys).size).toBe(names.length);
  for (const each of keys) expect(each).toMatch(/^[A-Za-z0-9._-]+$/);
});

test('components that nothing refers to are left out, with what only they refer to', () => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = { a: { items: to('b') }, b: { items: to('a') }, c: { items: to('d') }, d: {} };
  expect(usedComponents({ schemas }, { '/x': to('a') })).toEqual({ schemas: { a: schemas.a, b: schemas.b } });
});

test('types are described as their values are written', () => {
  const types = ['timestamptz', 'timestamp', 'time', 'timetz', 'interval', 'int8', 'float8', 'jsonb', 'uuid'];
  const all = table(
    'app.all',
    types.map((type) => column(type, type)),
  );
  const properties = describeApi({ tables: [all] }).components.schemas['AppAll']?.properties;
  expect(properties).toEqual({
    timestamptz: { type: 'string', format: 'date-time' },
    timestamp: { type: 'string' },
    time: { type: 'string' },
    timetz: { type: 'string' },
    interval: { type: 'string' },
    int8: { type: 'integer', format: 'int64' },
    float8: { anyOf: [{ type: 'number' }, { type: 'string', enum: ['NaN', 'Infinity', '-Infinity'] }] },
    jsonb: {},
    uuid: { type: 'string', format: 'uuid' },
  });
});
