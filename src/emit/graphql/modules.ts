import { type Model, aggregateShape, runtimeTypes } from '@tablewright/runtime/model';
import { moduleOf } from '../table-module.js';
import type { Imports } from '../source/file.js';
import { runtimeModule } from '../source/runtime-module.js';

/** The TypeScript type of the values of a GraphQL type, and the module that declares it. */
export interface Home {
  /** Path below src/generated, without extension: `kanban/issues.table`. Empty for other types. */
  readonly module: string;
  readonly name: string;
  /** The argument of a generic type of the runtime: `Connection<KanbanIssues>`. */
  readonly of?: string;
}

export type Homes = ReadonlyMap<string, Home>;

/** The TypeScript types of scalars, both GraphQL's and the runtime's. */
const scalarTypes: Readonly<Record<string, string>> = {
  Int: 'number',
  Float: 'number',
  String: 'string',
  Boolean: 'boolean',
  ID: 'string',
  BigInt: 'string',
  Numeric: 'number | string',
  JSON: 'unknown',
  Vector: 'number[]',
  TextSearch: 'string | { query: string; config?: string }',
};

/** The home of each GraphQL type that generated files mention. */
export function homesOf(model: Model, classes: ReadonlyMap<string, readonly string[]>): Homes {
  const homes = new Map<string, Home>(
    Object.entries(scalarTypes).map(([scalar, name]) => [scalar, { module: '', name }]),
  );
  for (const { kind, name } of runtimeTypes) {
    if (kind !== 'scalar') homes.set(name, { module: runtimeModule, name });
    else homes.set(name, { module: '', name: scalarTypes[name] ?? 'string' });
  }
  for (const [module, names] of classes) for (const name of names) homes.set(name, { module, name });
  for (const table of model.tables.filter((each) => each.graphql)) {
    const { type } = table.descriptor;
    homes.set(type, { module: moduleOf(table), name: type });
    homes.set(`${type}Connection`, { module: runtimeModule, name: 'Connection', of: type });
    for (const { name } of aggregateShape(table.descriptor).types)
      homes.set(name, { module: runtimeModule, name: 'AggregateResult' });
  }
  return homes;
}

/** Names the types of one file, and collects the imports that this needs. */
export class Scope {
  constructor(
    private readonly homes: Homes,
    /** The module of the file, in the form of `Home.module`. */
    private readonly module: string,
    readonly imports: Imports,
  ) {}

  /** The TypeScript type of a value. */
  typeName(type: string): string {
    const home = this.homes.get(type);
    if (home === undefined) throw new TypeError(`The GraphQL type ${type} is declared nowhere.`);
    const { module, name, of } = home;
    if (module === '' || module === this.module) return name;
    if (module !== runtimeModule) return this.imports.type(name, relativePath(this.module, module));
    return this.imports.runtime(name) + (of === undefined ? '' : `<${this.typeName(of)}>`);
  }
}

/** `kanban/issues.table`, `shared/filters` → `../shared/filters.js`. */
export function relativePath(from: string, to: string): string {
  const [folder = ''] = from.includes('/') ? from.split('/') : [];
  if (folder === '') return `./${to}.js`;
  return to.startsWith(`${folder}/`) ? `./${to.slice(folder.length + 1)}.js` : `../${to}.js`;
}
