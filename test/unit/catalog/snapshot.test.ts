import { parseCatalog, portable, serializeCatalog, type Catalog } from '../../../runtime/src/generator.js';
import { catalog, column, table } from './sample.js';

describe('serializeCatalog', () => {
  it('gives each column a line and leaves out what is null, false or empty', () => {
    expect(serializeCatalog(catalog())).toBe(`{
  "dialect": "postgres",
  "schemas": [
    { "name": "app" }
  ],
  "tables": [
    {
      "schema": "app",
      "name": "thing",
      "kind": "table",
      "columns": [
        { "name": "id", "type": { "schema": "pg_catalog", "name": "int4", "kind": "base", "formatted": "integer" }, "updatable": true }
      ],
      "primaryKey": { "name": "thing_pkey", "columns": ["id"] },
      "rowSecurity": {},
      "insertable": true,
      "updatable": true,
      "deletable": true
    }
  ],
  "extensions": [
    { "name": "plpgsql", "schema": "pg_catalog" }
  ]
}
`);
  });

  it('keeps that the engine of a table does not roll back', () => {
    const kept = catalog({ tables: [table('thing', { transactional: false })] });
    expect(parseCatalog(serializeCatalog(kept))).toEqual(portable(kept));
  });

  it('writes the same for every role and every machine', () => {
    const privileges = { select: true, insert: false, update: false, delete: false };
    const elsewhere = catalog({
      tables: [table('thing', { privileges })],
      extensions: [{ name: 'plpgsql', schema: 'pg_catalog', version: '2.0' }],
    });
    expect(serializeCatalog(elsewhere)).toBe(serializeCatalog(catalog()));
    expect(parseCatalog(serializeCatalog(elsewhere))).toEqual(portable(catalog()));
  });

  it('writes the same in whatever order members are given', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      );
    };
    expect(serializeCatalog(reversed(catalog()) as Catalog)).toBe(serializeCatalog(catalog()));
  });

  it('adds one line for one more column', () => {
    const more = catalog({ tables: [table('thing', { columns: [column('id'), column('more')] })] });
    const lines = new Set(serializeCatalog(catalog()).split('\n'));
    const added = serializeCatalog(more)
      .split('\n')
      .filter((line) => !lines.has(line));
    // The line before the added lines gains a comma.
    expect(added.map((line) => /"name": "(\w+)"/.exec(line)?.[1])).toEqual(['id', 'more']);
  });

  it('keeps hostile text, visibly', () => {
    const text = '\u2028\u202e\u200b\ufeff" \\ \n 🚀 \ud800 __proto__ \u0000';
    const hostile = catalog({
      tables: [table('__proto__', { comment: text, columns: [column('constructor'), column(text)] })],
    });
    const written = serializeCatalog(hostile);
    expect(written).not.toMatch(/[\u2028\u202e\u200b\ufeff]/);
    expect(written).toContain('\\u2028\\u202e\\u200b\\ufeff');
    expect(parseCatalog(written)).toEqual(portable(hostile));
  });

  it('takes a catalogue without anything', () => {
    const empty = catalog({ schemas: [], tables: [], extensions: [] });
    expect(parseCatalog(serializeCatalog(empty))).toEqual(empty);
  });
});

describe('parseCatalog', () => {
  it.each([
    ['', 'catalog.json is not JSON.'],
    ['[]', 'catalog.json is not a catalogue. At its top: '],
    ['{"dialect": "oracle"}', 'catalog.json is not a catalogue. At dialect: '],
    [
      serializeCatalog(catalog()).replace('"kind": "base"', '"kind": "odd"'),
      'catalog.json is not a catalogue. At tables[0].columns[0].type.kind: ',
    ],
    ['<<<<<<< HEAD\n{}', 'catalog.json is not JSON.'],
    ['{\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> theirs\r\n}', 'catalog.json has conflict markers.'],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => parseCatalog(text)).toThrow(
      expect.objectContaining({
        code: 'OUTPUT_EDITED',
        message: expect.stringContaining(message) as string,
        hint: expect.stringContaining('tablewright generate') as string,
      }) as Error,
    );
  });
});
