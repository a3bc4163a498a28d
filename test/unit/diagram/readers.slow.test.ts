import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toDbml, toMermaid } from '../../../console/src/diagram/index.js';
import { clients, describeClients } from '../../support/client-packages.js';
import { board, hostile, many, names } from '../../support/diagrams.js';

/** What is used of `@dbml/core`, which has its types in a package that is not installed here. */
interface Dbml {
  readonly Parser: new () => {
    parse(text: string, format: 'dbmlv2'): { readonly schemas: readonly DbmlSchema[] };
  };
}

interface DbmlSchema {
  readonly name: string;
  readonly tables: readonly { readonly name: string; readonly fields: readonly { readonly name: string }[] }[];
  readonly refs: readonly unknown[];
  readonly enums: readonly { readonly name: string }[];
}

interface Mermaid {
  parse(text: string): Promise<unknown>;
}

describeClients('the readers of diagrams', () => {
  let dbml: Dbml;
  let mermaid: Mermaid;

  beforeAll(async () => {
    const { resolve } = createRequire(join(clients, 'package.json'));
    dbml = (await import(pathToFileURL(resolve('@dbml/core')).href)) as Dbml;
    const path = pathToFileURL(join(clients, 'node_modules/mermaid/dist/mermaid.core.mjs')).href;
    ({ default: mermaid } = (await import(path)) as { readonly default: Mermaid });
  });

  /** The result of the DBML parser: tables with columns, and the number of references. */
  function readDbml(text: string) {
    const { schemas } = new dbml.Parser().parse(text, 'dbmlv2');
    return {
      tables: schemas.flatMap((schema) =>
        schema.tables.map((each) => ({
          schema: schema.name,
          name: each.name,
          columns: each.fields.map(({ name }) => name),
        })),
      ),
      references: schemas.reduce((sum, { refs }) => sum + refs.length, 0),
      enums: schemas.flatMap((schema) => schema.enums.map((each) => each.name)),
    };
  }

  test('read DBML', () => {
    const read = readDbml(toDbml(board));
    expect(read.tables).toEqual(
      board.tables.map(({ schema, name, columns }) => ({ schema, name, columns: columns.map((each) => each.name) })),
    );
    expect(read).toMatchObject({ references: 3, enums: ['status'] });
  });

  test('read DBML of hostile names', () => {
    const read = readDbml(toDbml(hostile));
    expect(read.tables).toHaveLength(names.length);
    for (const { columns } of read.tables) expect(columns).toHaveLength(names.length);
    expect(read.references).toBe(names.length);
    expect(read.tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['a"b', "a'b", 'a\\', '__proto__', '表']),
    );
  });

  test.each([
    ['a board', board],
    ['hostile names', hostile],
    ['a thousand tables', many],
    ['nothing', { tables: [], references: [], enums: [] }],
  ])('read Mermaid: %s', async (_name, diagram) => {
    await expect(mermaid.parse(toMermaid(diagram))).resolves.toMatchObject({ diagramType: 'er' });
  });

  test('read DBML of a thousand tables', () => {
    expect(readDbml(toDbml(many)).tables).toHaveLength(1000);
  });
});
