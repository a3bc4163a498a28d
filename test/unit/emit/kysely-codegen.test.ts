import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExpressionNode } from 'kysely-codegen/dist/generator/ast/expression-node.js';
import { RawExpressionNode } from 'kysely-codegen/dist/generator/ast/raw-expression-node.js';
import { MysqlAdapter } from 'kysely-codegen/dist/generator/dialects/mysql/mysql-adapter.js';
import { PostgresAdapter } from 'kysely-codegen/dist/generator/dialects/postgres/postgres-adapter.js';
import { GLOBAL_DEFINITIONS } from 'kysely-codegen/dist/generator/transformer/definitions.js';
import { ts } from 'ts-morph';
import { aliasDoc } from '../../../src/emit/database/node.js';
import { print } from '../../../src/emit/source/doc.js';
import { repository } from '../../support/transpile.js';

type Scalars = Readonly<Record<string, ExpressionNode | undefined>>;

/**
 * The emitter imports modules of kysely-codegen whose stability its version number does not
 * promise.
 */
describe('kysely-codegen', () => {
  test('is pinned to one version', async () => {
    const { dependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies['kysely-codegen']).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('PostgresAdapter names what node-postgres makes of a type', () => {
    const scalars: Scalars = new PostgresAdapter().scalars;
    const names = ['bool', 'int4', 'text', 'int8', 'numeric', 'timestamptz', 'jsonb'].map((name) => {
      const node = scalars[name];
      return node === undefined ? name : print(aliasDoc('T', node));
    });
    expect(names).toEqual([
      'export type T = boolean;',
      'export type T = number;',
      'export type T = string;',
      'export type T = Int8;',
      'export type T = Numeric;',
      'export type T = Timestamp;',
      'export type T = Json;',
    ]);
  });

  test('MysqlAdapter names what mysql2 makes of a type', () => {
    const scalars: Scalars = new MysqlAdapter().scalars;
    const names = ['int', 'varchar', 'decimal', 'datetime', 'json'].map((name) => {
      const node = scalars[name];
      return node === undefined ? name : print(aliasDoc('T', node));
    });
    expect(names).toEqual([
      'export type T = number;',
      'export type T = string;',
      'export type T = Decimal;',
      'export type T = Date;',
      'export type T = Json;',
    ]);
  });

  test('GLOBAL_DEFINITIONS has the templates of columns', () => {
    const text = Object.entries(GLOBAL_DEFINITIONS).map(([name, node]) => print(aliasDoc(name, node)));
    expect(text.map((each) => each.split(/[<=]/)[0])).toEqual([
      'export type ArrayType',
      'export type ArrayTypeImpl',
      'export type Generated',
    ]);
  });

  test('RawExpressionNode keeps its text', () => {
    expect(print(aliasDoc('T', new RawExpressionNode('A<B>')))).toBe('export type T = A<B>;');
  });

  test('every definition of both adapters is a kind of node that is printed as TypeScript', () => {
    const all = [new PostgresAdapter(), new MysqlAdapter()].flatMap(({ definitions }) => Object.entries(definitions));
    expect(all.length).toBeGreaterThan(10);
    const text = all.map(([name, node], at) => print(aliasDoc(`${name}${String(at)}`, node))).join('\n');
    const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
    expect(text).not.toContain('= undefined;');
  });
});
