import type { Routine } from '../catalog/catalog.js';
import type { AnsweredSet, FunctionDescriptor } from '../descriptor/descriptor.js';
import { aggregateField } from '../descriptor/names.js';
import { allocate } from './allocate.js';
import { described } from './description.js';
import { folderName } from './files.js';
import { asInput } from './callable.js';
import { answeredTable, inputsOf, outputsOf, rowTypesOf } from './listed-functions.js';
import type { CompositeModel, FunctionModel, Warning } from './model.js';
import { isCanonical } from './names.js';
import { callNameOf, fieldNameOf, schemaSuffixes } from './naming-rules.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { DescribedSet, ResultSets } from './result-sets.js';
import { argumentsOf, movedRoutine, readableSuffixes, renamedTo, routineId } from './routine-names.js';
import type { ScopedTable } from './scope.js';
import type { TypeNames } from './type-names.js';
import { typeKey, type TypeResolver } from './types.js';
import { buildComposite } from './user-types.js';

/** The inputs of the names of functions. */
export interface FunctionContext {
  readonly routines: readonly Routine[];
  /** Of procedures that answer rows: the modes of their parameters, by id. */
  readonly resultSets: Pick<ResultSets, 'modes' | 'sets'>;
  readonly tables: readonly ScopedTable[];
  readonly names: TypeNames;
  readonly options: ModelOptions;
  /** The root fields of tables and procedures, as `query:…` and `mutation:…`. */
  readonly taken: ReadonlySet<string>;
  readonly warnings: Warning[];
}

/** The functions, and the types that only they use. */
export interface BuiltFunctions {
  readonly functions: readonly FunctionModel[];
  readonly composites: readonly CompositeModel[];
}

/**
 * The GraphQL types of rows that are given to functions, by the table's key: `<T>Row`, given as
 * `<T>RowInput`.
 */
export function nameRowTypes({
  routines,
  tables,
  names,
}: Pick<FunctionContext, 'routines' | 'tables' | 'names'>): ReadonlyMap<string, string> {
  const type = (key: string): string => names.tables.get(key)?.type ?? key;
  return new Map(rowTypesOf(routines, tables).map(({ key }) => [key, freeType(`${type(key)}Row`, names)]));
}

/** Fields of Query and Mutation. Source: decision 005. */
export function buildFunctions(
  context: FunctionContext,
  rowTypes: ReadonlyMap<string, string>,
  resolve: TypeResolver,
): BuiltFunctions {
  const { routines, tables, options } = context;
  const known = new Map(tables.map((table) => [table.key, table]));
  const fields = nameFunctions(context, known);
  const built = routines.map((routine) =>
    buildFunction(context, routine, fields.get(routineId(routine)) ?? routine.name, known, resolve),
  );
  const rows = tables.flatMap((table) => {
    const type = rowTypes.get(table.key);
    const { schema, name, comment } = table.facts;
    return type === undefined
      ? []
      : [
          buildComposite(
            { schema, name, comment, attributes: table.columns },
            type,
            options,
            context.names.rules,
            resolve,
          ),
        ];
  });
  return {
    functions: built.map(({ model }) => model),
    composites: [...rows, ...built.flatMap(({ record }) => (record === undefined ? [] : [record]))],
  };
}

function buildFunction(
  { names, options, resultSets }: FunctionContext,
  routine: Routine,
  field: string,
  tables: ReadonlyMap<string, ScopedTable>,
  resolve: TypeResolver,
): { readonly model: FunctionModel; readonly record: CompositeModel | undefined } {
  const table = answeredTable(routine, tables);
  const operation = operationOf(routine);
  const isList = table !== undefined && routine.returnsSet && operation === 'query';
  const record = recordOf(routine, field, names, options, resolve);
  const answer = table === undefined ? answerOf(routine, record, resolve) : undefined;
  const isFiltered = routine.returnsSet && operation === 'query' && canBeFiltered(answer);
  const inputs = record?.descriptor.type ?? resultType(field, names);
  const taken = isList || isFiltered ? listNames : new Set<string>();
  const resultSet = resultSets.modes.get(routineId(routine));
  const sets = resultSets.sets.get(routineId(routine))?.map((each) => answeredSet(each, names, resolve));
  const descriptor: FunctionDescriptor = {
    field,
    operation,
    schema: routine.schema,
    name: routine.name,
    arguments: argumentsOf({ arguments: inputsOf(routine) }, resolve, names.rules, taken).map(asInput),
    ...(routine.returnsSet ? { returnsSet: true } : {}),
    ...(answer ?? { table: names.tables.get(table?.key ?? '')?.fields.list ?? '' }),
    ...(isFiltered ? { inputs } : {}),
    ...(resultSet === undefined ? {} : { resultSet }),
    ...(sets === undefined ? {} : { sets }),
    ...described(routine.comment),
  };
  return { model: { descriptor, folder: folderName(routine.schema), comment: routine.comment }, record };
}

const answeredSet = (set: DescribedSet, names: TypeNames, resolve: TypeResolver): AnsweredSet =>
  'table' in set
    ? { table: names.tables.get(set.table.key)?.fields.list ?? '' }
    : { columns: set.columns.map(({ name, type }) => ({ name, type: resolve(type) })) };

/** Arguments that a list of rows and its aggregates have. */
const listNames: ReadonlySet<string> = new Set([
  'where',
  'or',
  'orderBy',
  'limit',
  'offset',
  'distinctOn',
  'vector',
  'groupBy',
  'having',
]);

function answerOf(
  { returns }: Routine,
  record: CompositeModel | undefined,
  resolve: TypeResolver,
): Pick<FunctionDescriptor, 'returns' | 'record'> {
  if (record !== undefined) {
    const { type, schema, name } = record.descriptor;
    return { returns: { kind: 'composite', sql: { schema, name }, composite: type }, record: true };
  }
  return returns === null || (returns.kind === 'pseudo' && returns.name === 'void')
    ? {}
    : { returns: resolve(returns) };
}

/** The type of the columns that a function answers: `<Field>Result`. */
function recordOf(
  routine: Routine,
  field: string,
  names: TypeNames,
  options: ModelOptions,
  resolve: TypeResolver,
): CompositeModel | undefined {
  const outputs = outputsOf(routine);
  if (outputs.length === 0) return undefined;
  const type = resultType(field, names);
  const attributes = outputs.map(({ name, type: of }, at) => ({
    name: name === '' ? `column${String(at + 1)}` : name,
    type: of,
    comment: null,
  }));
  // The signature keeps the results of overloads apart.
  const facts = { schema: routine.schema, name: `${routine.name}(${routine.signature})`, comment: null, attributes };
  const built = buildComposite(facts, type, options, names.rules, resolve);
  return { ...built, descriptor: { ...built.descriptor, outputOnly: true } };
}

const resultType = (field: string, names: TypeNames): string =>
  freeType(`${field.charAt(0).toUpperCase()}${field.slice(1)}Result`, names);

/** Values that are composites are not filtered: their attributes are no columns. */
const canBeFiltered = (answer: Pick<FunctionDescriptor, 'returns' | 'record'> | undefined): boolean =>
  answer?.record === true || (answer?.returns !== undefined && answer.returns.kind !== 'composite');

function freeType(preferred: string, { taken, reserved }: TypeNames): string {
  const isTaken = (name: string): boolean =>
    reserved.has(name) || ['', 'Input', 'WhereInput', 'OrderByInput'].some((end) => taken.has(`${name}${end}`));
  let type = preferred;
  while (isTaken(type)) type += '_';
  return type;
}

const operationOf = ({ volatility }: Routine): FunctionDescriptor['operation'] =>
  volatility === 'volatile' ? 'mutation' : 'query';

/**
 * The root fields, by id. Overloads are distinguished by the names of their arguments, then by
 * their types.
 */
function nameFunctions(
  { routines, options, names: { rules }, taken, warnings }: FunctionContext,
  tables: ReadonlyMap<string, ScopedTable>,
): ReadonlyMap<string, string> {
  const fieldOf = (routine: Routine, suffix: string): string => {
    const name = renamedTo(routine, options);
    if (name !== undefined) return name;
    return operationOf(routine) === 'mutation'
      ? callNameOf(routine, rules, suffix)
      : fieldNameOf(routine, rules, suffix);
  };
  const { suffixes, moved } = allocate(
    routines.map((routine) => {
      const operation = operationOf(routine);
      const isList = routine.returnsSet && operation === 'query' && answeredTable(routine, tables) !== undefined;
      const names = (suffix: string): readonly string[] => {
        const field = fieldOf(routine, suffix);
        return (isList ? [field, aggregateField(field)] : [field]).map((name) => `${operation}:${name}`);
      };
      return {
        id: routineId(routine),
        rank: isCanonical(routine.name) ? 0 : 1,
        names,
        suffixes: [...suffixesOf(inputsOf(routine)), ...schemaSuffixes(rules)],
        ...(renamedTo(routine, options) === undefined ? {} : { fixed: typeKey(routine) }),
      };
    }),
    taken,
  );
  for (const routine of routines) {
    const id = routineId(routine);
    if (moved.includes(id)) warnings.push(movedRoutine(routine, fieldOf(routine, suffixes.get(id) ?? '')));
  }
  return new Map(
    routines.map((routine) => [routineId(routine), fieldOf(routine, suffixes.get(routineId(routine)) ?? '')]),
  );
}

const suffixesOf = (inputs: ReturnType<typeof inputsOf>): readonly string[] =>
  inputs.length === 0 ? ['Plain'] : readableSuffixes(inputs);
