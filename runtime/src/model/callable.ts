import type { Catalog, Routine, TypeRef } from '../catalog/catalog.js';
import type { ArgumentDescriptor, ColumnType, FunctionDescriptor } from '../descriptor/descriptor.js';
import { inputsOf, outputsOf } from './listed-functions.js';
import type { Patterns } from './patterns.js';
import { argumentsOf, routineId } from './routine-names.js';
import { isPseudo, sortedRoutines } from './routines.js';
import { isWhole, type ScopedTable } from './scope.js';
import type { TypeNames } from './type-names.js';
import { typeKey, type ModelDialect, type TypeResolver } from './types.js';
import { servedEnums } from './user-types.js';

/** What decides which functions PostgREST's form calls. */
export interface CallableScope {
  readonly catalog: Catalog;
  readonly exclude: Patterns;
  /** The functions that the configuration lists. Undefined: it has no list, and all are called. */
  readonly listed: Patterns | undefined;
  readonly tables: readonly ScopedTable[];
  readonly names: TypeNames;
  readonly resolve: ModelDialect['columnTypes'];
}

/**
 * Every function that PostgREST calls, or those that the configuration lists: its arguments have
 * names, or its only argument is a whole body. `field` is the signature, because they have no names
 * in GraphQL. A function that takes or answers rows with excluded columns is left out.
 * Source: PostgREST, "Functions as RPC"; decision 029.
 */
export function callableFunctions(scope: CallableScope): readonly FunctionDescriptor[] {
  const { catalog, exclude, listed, names } = scope;
  const tables = new Map(scope.tables.map((table) => [table.key, table]));
  // Composites have the key '', because the database itself reads and writes them.
  const composites = new Map([...catalog.composites, ...catalog.tables].map((each) => [typeKey(each), '']));
  const resolve = scope.resolve(catalog, { enums: servedEnums(catalog, names), composites });
  const rowsOf = rowTypes(catalog);
  const hidden = new Set(catalog.tables.map(typeKey).filter((key) => !isWholeTable(tables.get(key))));
  const isHidden = (type: TypeRef): boolean => hidden.has(typeKey(rowsOf(type)));
  return sortedRoutines(catalog, exclude).flatMap((routine) => {
    if (!isCallable(routine) || listed?.matches(routine.schema, routine.name) === false) return [];
    const { returns } = routine;
    const row = returns === null || returns.array || outputsOf(routine).length > 0 ? undefined : rowsOf(returns);
    const table = row === undefined ? undefined : tables.get(typeKey(row));
    const shown = [...routine.arguments.map(({ type }) => type), ...(table === undefined ? [returns] : [])];
    if (shown.some((type) => type !== null && isHidden(type))) return [];
    const columns = table === undefined ? columnsOf(routine, row, catalog, resolve) : undefined;
    const key = table === undefined ? undefined : names.tables.get(table.key)?.fields.list;
    return [
      {
        field: routineId(routine),
        operation: routine.volatility === 'volatile' ? 'mutation' : 'query',
        schema: routine.schema,
        name: routine.name,
        arguments: argumentsOf({ arguments: inputsOf(routine) }, resolve, names.rules).map(asInput),
        ...(routine.returnsSet ? { returnsSet: true } : {}),
        ...(key === undefined ? answerOf(routine, resolve) : { table: key }),
        ...(columns === undefined ? {} : { columns }),
        ...mediaOf(routine),
        // Who lists a function means it.
        ...(routine.securityDefiner && listed === undefined ? { securityDefiner: true } : {}),
      },
    ];
  });
}

/** The types of a single argument without a name, which takes the whole body of a request. */
const wholeBodies: ReadonlySet<string> = new Set(['json', 'jsonb', 'text', 'xml', 'bytea']);

/** Whether a function has arguments that a request can give, and a result. */
export function isCallable(routine: Routine): boolean {
  const { kind, returns } = routine;
  if (kind !== 'function') return false;
  const inputs = inputsOf(routine);
  const [only, ...others] = inputs;
  const takesBody = only?.name === '' && others.length === 0 && !only.type.array && wholeBodies.has(only.type.name);
  if (inputs.some(({ name }) => name === '') && !takesBody) return false;
  if (routine.arguments.some(({ type }) => type.kind === 'pseudo')) return false;
  return returns !== null && !isPseudo(returns);
}

const isWholeTable = (table: ScopedTable | undefined): boolean => table !== undefined && isWhole(table);

/** Follows domains to the composite type below. */
function rowTypes({ domains }: Catalog): (type: TypeRef) => TypeRef {
  const bases = new Map(domains.map((domain) => [typeKey(domain), domain.base]));
  const follow = (type: TypeRef): TypeRef => {
    const base = type.kind === 'domain' ? bases.get(typeKey(type)) : undefined;
    return base === undefined ? type : follow(base);
  };
  return follow;
}

function columnsOf(
  routine: Routine,
  row: TypeRef | undefined,
  { composites }: Catalog,
  resolve: TypeResolver,
): FunctionDescriptor['columns'] {
  const outputs = outputsOf(routine);
  const found = composites.find((each) => row !== undefined && typeKey(each) === typeKey(row))?.attributes ?? [];
  const columns = outputs.length > 0 ? outputs : found;
  if (columns.length === 0) return undefined;
  return columns.map(({ name, type }, at) => ({
    name: name === '' ? `column${String(at + 1)}` : name,
    type: resolve(type),
  }));
}

/** A domain that is called as a media type. Source: PostgREST, "Media Type Handlers". */
function mediaOf({ returns, returnsSet }: Routine): { readonly media?: string } {
  const isMedia = returns?.kind === 'domain' && !returns.array && /^(?:[\w.-]+\/[\w.+-]+|\*\/\*)$/.test(returns.name);
  return isMedia && !returnsSet ? { media: returns.name.toLowerCase() } : {};
}

const answerOf = ({ returns }: Routine, resolve: TypeResolver): { readonly returns?: ColumnType } =>
  returns === null || (returns.kind === 'pseudo' && returns.name === 'void') ? {} : { returns: resolve(returns) };

/** An INOUT parameter is given as any other. */
export const asInput = (argument: ArgumentDescriptor): ArgumentDescriptor =>
  argument.mode === 'variadic' ? argument : { ...argument, mode: 'in' };
