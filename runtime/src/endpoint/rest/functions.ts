import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import { calledProcedure, isProcedure } from '../../descriptor/results.js';
import { ServerError, codes } from '../../errors.js';
import type { Services } from '../../execute/services.js';
import { nearest } from '../../nearest.js';

/** The path segment below /api/v1 under which clients call functions. */
export const functionsPath = 'rpc';

/**
 * Functions by schema and name; a name has all its overloads. An overload is also found by its
 * GraphQL field, which is unique.
 */
type FunctionMap = ReadonlyMap<string, ReadonlyMap<string, readonly FunctionDescriptor[]>>;

export function indexFunctions(functions: Iterable<FunctionDescriptor>): FunctionMap {
  const schemas = new Map<string, Map<string, FunctionDescriptor[]>>();
  for (const each of functions) {
    const named = schemas.get(each.schema) ?? new Map<string, FunctionDescriptor[]>();
    schemas.set(each.schema, named);
    const all = named.get(each.name);
    if (all === undefined) named.set(each.name, [each]);
    else all.push(each);
  }
  return schemas;
}

/** The same with the fields of GraphQL, for overloads that no arguments tell apart. */
export function indexWithFields(functions: readonly FunctionDescriptor[]): FunctionMap {
  const schemas = new Map([...indexFunctions(functions)].map(([schema, named]) => [schema, new Map(named)] as const));
  for (const each of functions) {
    const named = schemas.get(each.schema);
    if (named !== undefined && !named.has(each.field)) named.set(each.field, [each]);
  }
  return schemas;
}

/** The functions that a mount of REST calls. */
export interface MountFunctions {
  readonly named: FunctionMap;
  /** The schemas that are served if the settings name none. */
  readonly schemas: readonly string[];
  /**
   * The functions at /rpc/{name}; undefined where the path is that of a table. Throws ServerError
   * 404.
   * @param isTable whether the schema has a table called `rpc`
   */
  readonly at: (schema: string, name: string, isTable: boolean) => readonly FunctionDescriptor[] | undefined;
}

/**
 * Those of `/api/v1`. A table called `rpc` keeps its paths, except those that name a function. The
 * setting `app.rest.procedures` decides on procedures.
 */
export function ownFunctions({ registry, settings }: Services): MountFunctions {
  const all = [...registry.functions.values(), ...[...registry.procedures.values()].map(calledProcedure)];
  const isServed = (called: FunctionDescriptor): boolean => settings['app.rest.procedures'] || !isProcedure(called);
  const named = indexWithFields(all.filter(isServed));
  const unserved = indexWithFields(all.filter((each) => !isServed(each)));
  return {
    named,
    schemas: [...registry.schemas.keys()],
    at: (schema, name, isTable) => {
      if (name === '') return undefined;
      const [procedure] = named.get(schema)?.has(name) === true ? [] : (unserved.get(schema)?.get(name) ?? []);
      if (procedure !== undefined) throw procedureNotServed(procedure);
      if (!named.has(schema)) return undefined;
      return isTable ? named.get(schema)?.get(name) : functionsOf(named, schema, name);
    },
  };
}

/** The functions of a name. Throws ServerError 404 with the name that the client probably meant. */
function functionsOf(functions: FunctionMap, schema: string, name: string): readonly FunctionDescriptor[] {
  const found = functions.get(schema)?.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, functions.get(schema)?.keys() ?? []);
  throw new ServerError(404, codes.notFound, `There is no function "${name.slice(0, 80)}" here.`, {
    hint: near === undefined ? 'GET /api/v1 describes the functions that there are.' : `Did you mean \`${near}\`?`,
    reason: { kind: 'unknownFunction' },
  });
}

/** The methods that functions answer: GET and HEAD only if at least one overload cannot write. */
export function functionMethods(overloads: readonly FunctionDescriptor[]): readonly string[] {
  const reads = overloads.some(({ operation }) => operation === 'query') ? ['GET', 'HEAD'] : [];
  return [...reads, 'POST', 'OPTIONS'];
}

/** Source: decision 005. */
const procedureNotServed = ({ name, field }: FunctionDescriptor): ServerError =>
  new ServerError(404, codes.notFound, `The procedure "${name}" is not served over REST.`, {
    hint: `Call it by GraphQL's mutation \`${field}\`, or set app.rest.procedures to true.`,
    reason: { kind: 'unknownFunction' },
  });
