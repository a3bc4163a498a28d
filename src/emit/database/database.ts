import type { ExpressionNode } from 'kysely-codegen/dist/generator/ast/expression-node.js';
import type { TemplateNode } from 'kysely-codegen/dist/generator/ast/template-node.js';
import { RawExpressionNode } from 'kysely-codegen/dist/generator/ast/raw-expression-node.js';
import { GLOBAL_DEFINITIONS } from 'kysely-codegen/dist/generator/transformer/definitions.js';
import type { ColumnModel, ColumnType, Model, TableModel } from '@tablewright/runtime/model';
import type { EmitDialect } from '../dialects/dialect.js';
import { emitDialects } from '../dialects/index.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { propertyName } from '../source/escape.js';
import { Imports, printFile } from '../source/file.js';
import { docComment, string } from '../source/typescript.js';
import { aliasDoc, namesIn, typeDoc, unionAlias } from './node.js';

/**
 * `database.ts`: the tables as types for Kysely over node-postgres or mysql2, for the user's code.
 * kysely-codegen knows the JavaScript type that the driver makes of each database type; names and
 * order come from the model.
 */
export function emitDatabase(model: Model): string {
  const imports = new Imports();
  const words = new Vocabulary(imports, emitDialects[model.dialect]);
  const tables = model.tables.map((table) => tableInterface(table, words));
  const enums = model.enums.map(({ descriptor, comment }) => [
    docComment(comment ?? ''),
    unionAlias(
      descriptor.type,
      descriptor.values.map(({ label }) => string(label)),
    ),
  ]);
  const keys = model.tables.map(({ descriptor }) => [
    hardline,
    `${propertyName(`${descriptor.schema}.${descriptor.name}`)}: ${descriptor.type};`,
  ]);
  const database = [
    docComment('The tables by name, for new Kysely<Database>({ dialect }).'),
    keys.length === 0 ? 'export type Database = object;' : ['export interface Database {', indent(keys), hardline, '}'],
  ];
  return printFile('the database', imports, [...words.definitions(), ...enums, ...tables, database]);
}

function tableInterface(table: TableModel, words: Vocabulary): Doc {
  const { type } = table.descriptor;
  const columns = table.columns.map((column) => [
    hardline,
    docComment(column.comment ?? ''),
    [propertyName(column.descriptor.name), ': ', words.column(column), ';'],
  ]);
  const comment = docComment(table.comment ?? '');
  if (columns.length === 0) return [comment, `export type ${type} = object;`];
  return [comment, `export interface ${type} {`, indent(columns), hardline, '}'];
}

/** The types that a file uses, and the definitions that they need. */
class Vocabulary {
  private readonly scalars: Readonly<Record<string, ExpressionNode | undefined>>;
  private readonly known: Readonly<Record<string, ExpressionNode | TemplateNode | undefined>>;
  private readonly used = new Set<string>();

  constructor(
    private readonly imports: Imports,
    private readonly dialect: EmitDialect,
  ) {
    const adapter = dialect.adapter();
    this.scalars = adapter.scalars;
    this.known = {
      ...GLOBAL_DEFINITIONS,
      ...adapter.definitions,
      // The library's type is a class of a package that projects do not depend on.
      Interval: new RawExpressionNode('ColumnType<{ toISOString(): string }, string, string>'),
    };
  }

  column({ descriptor, nullable }: ColumnModel): Doc {
    const type = [this.type(descriptor.type), nullable ? ' | null' : ''];
    if (descriptor.readOnly === true) return [this.imports.type('GeneratedAlways', 'kysely'), '<', type, '>'];
    if (descriptor.hasDefault !== true && descriptor.filled !== true) return type;
    this.use('Generated');
    return ['Generated<', type, '>'];
  }

  definitions(): readonly Doc[] {
    return [...this.used].sort().flatMap((name) => {
      const node = this.definition(name);
      return node === undefined ? [] : [aliasDoc(name, node)];
    });
  }

  private type(type: ColumnType): Doc {
    if (type.enum !== undefined) return type.enum;
    if (type.kind === 'array' && !this.dialect.hasArrays) return 'string';
    if (type.kind === 'array' && type.element !== undefined) return this.array(type.element);
    const name = this.dialect.adapterName(type);
    const scalar = type.sql.schema === undefined ? this.scalars[name] : undefined;
    if (scalar === undefined || type.kind === 'range') return 'string';
    for (const name of namesIn(scalar)) this.use(name);
    return typeDoc(scalar);
  }

  private array(element: ColumnType): Doc {
    const item = this.type(element);
    if (element.enum !== undefined || item === 'string' || item === 'number' || item === 'boolean') return [item, '[]'];
    this.use('ArrayType');
    return ['ArrayType<', item, '>'];
  }

  private use(name: string): void {
    if (name === 'ColumnType') this.imports.type(name, 'kysely');
    const definition = this.definition(name);
    if (definition === undefined || this.used.has(name)) return;
    this.used.add(name);
    if (definition instanceof RawExpressionNode) this.imports.type('ColumnType', 'kysely');
    for (const part of namesIn(definition)) this.use(part);
  }

  private definition(name: string) {
    return Object.hasOwn(this.known, name) ? this.known[name] : undefined;
  }
}
