import { type Model, aggregateShape, runtimeTypes, writeTypeEnds } from '@tablewright/runtime/model';
import { moduleOf } from '../context.js';
import type { Imports } from '../source/file.js';
import { runtimeModule } from '../source/runtime-module.js';

/**
 * The module below src/generated that contains the code of a GraphQL type, and the name of its
 * export.
 */
export interface Home {
  /** Path without extension: `kanban/issues.table`. */
  readonly module: string;
  readonly name: string;
  /** Its TypeScript type, if the export itself is not the type. */
  readonly type?: string;
  /** Its TypeScript type, if it is a generic type of the runtime: `Connection<KanbanIssues>`. */
  readonly generic?: { readonly name: 'Connection'; readonly of: string };
}

export type Homes = ReadonlyMap<string, Home>;

/** The TypeScript types of scalars, both GraphQL's and the runtime's. */
const scalarTypes: Readonly<Record<string, string>> = {
  Int: 'number',
  Float: 'number',
  String: 'string',
  Boolean: 'boolean',
  BigInt: 'string',
  Numeric: 'number | string',
  JSON: 'unknown',
  Vector: 'number[]',
  TextSearch: 'string | { query: string; config?: string }',
};

/** The home of each GraphQL type of a model. */
export function homesOf(model: Model, classes: ReadonlyMap<string, readonly string[]>): Homes {
  const homes = new Map<string, Home>([
    ['Int', { module: 'type-graphql', name: 'Int', type: 'number' }],
    ['Float', { module: 'type-graphql', name: 'Float', type: 'number' }],
    ['String', { module: '', name: 'String', type: 'string' }],
    ['ID', { module: 'type-graphql', name: 'ID', type: 'string' }],
    ['Boolean', { module: '', name: 'Boolean', type: 'boolean' }],
  ]);
  for (const { kind, name } of runtimeTypes) {
    if (kind !== 'scalar') homes.set(name, { module: runtimeModule, name });
    else homes.set(name, { module: runtimeModule, name: `GraphQL${name}`, type: scalarTypes[name] ?? 'string' });
  }
  for (const [module, names] of classes) for (const name of names) homes.set(name, { module, name });
  for (const table of model.tables.filter((each) => each.graphql)) {
    const module = moduleOf(table);
    const { type } = table.descriptor;
    homes.set(`${type}Connection`, {
      module,
      name: `${type}Connection`,
      generic: { name: 'Connection', of: type },
    });
    homes.set(`${type}WhereInput`, { module, name: `${type}WhereInput`, type: 'object' });
    for (const name of aggregateShape(table.descriptor).types.map((each) => each.name)) {
      homes.set(name, { module, name, type: name === `${type}HavingInput` ? 'object' : 'AggregateResult' });
    }
    homes.set(`${type}Column`, { module, name: `${type}Column`, type: 'string' });
    for (const end of writeTypeEnds(table.descriptor)) {
      const name = `${type}${end}`;
      homes.set(name, { module, name, type: 'object' });
    }
  }
  return homes;
}

/** Names GraphQL types in one file, and collects the imports that this needs. */
export class Scope {
  constructor(
    private readonly homes: Homes,
    /** The module of the file, in the form of `Home.module`. */
    private readonly module: string,
    readonly imports: Imports,
  ) {}

  /** The value that decorators use for a type. */
  value(type: string): string {
    const { name, module } = this.homeOf(type);
    return module === '' ? name : this.constant(name, module);
  }

  /** A constant of a module, by the name that the file uses. */
  constant(name: string, module: string): string {
    if (module === this.module) return name;
    return module === runtimeModule ? this.imports.runtime(name) : this.imports.value(name, this.pathTo(module));
  }

  /** The TypeScript type of a value. */
  typeName(type: string): string {
    const home = this.homeOf(type);
    if (home.type === 'AggregateResult') return this.imports.runtime('AggregateResult');
    if (home.type !== undefined) return home.type;
    if (home.generic !== undefined) {
      const { name, of } = home.generic;
      return `${this.imports.runtime(name)}<${this.typeName(of)}>`;
    }
    if (home.module === this.module) return home.name;
    if (home.module === runtimeModule) return this.imports.runtime(home.name);
    return this.imports.type(home.name, this.pathTo(home.module));
  }

  /** The specifier that leads from this file to another module. */
  pathTo(module: string): string {
    return relativePath(this.module, module);
  }

  private homeOf(type: string): Home {
    const home = this.homes.get(type);
    if (home === undefined) throw new TypeError(`The GraphQL type ${type} is declared nowhere.`);
    return home;
  }
}

/** `kanban/issues.table`, `shared/filters` → `../shared/filters.js`. */
export function relativePath(from: string, to: string): string {
  if (to === 'type-graphql') return to;
  const [folder = ''] = from.includes('/') ? from.split('/') : [];
  if (folder === '') return `./${to}.js`;
  return to.startsWith(`${folder}/`) ? `./${to.slice(folder.length + 1)}.js` : `../${to}.js`;
}
