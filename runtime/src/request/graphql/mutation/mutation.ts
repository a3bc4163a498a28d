import { GraphQLError, getNamedType, isLeafType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import type { FunctionDescriptor, ProcedureDescriptor } from '../../../descriptor/descriptor.js';
import { rootFields } from '../../../descriptor/names.js';
import type { ReadIntent } from '../../../plan/intent.js';
import { graphqlForm } from '../../../plan/intent-form.js';
import type { Returning, WriteIntent } from '../../../plan/write/write-intent.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import { subFields } from '../query/collect.js';
import type { ArgumentValue } from '../arguments/argument-value.js';
import { wholeKey } from '../query/column.js';
import { answeredTable, callOf, valueOf } from '../query/function.js';
import { givenArguments } from '../arguments/given-arguments.js';
import { onConflictOf } from './conflict.js';
import { targetOf } from './filter.js';
import { columnsIn, createdInside, hasOtherWrites, updatedInside } from './nested.js';
import { rowsShapeOf, rowValue, writtenColumns } from './rows.js';
import { objectType } from '../query/object-type.js';
import { malformedParameter } from '../../../plan/refuse.js';
import {
  argumentOf,
  fieldOfType,
  located,
  customPartOf,
  presentArgument,
  type Scope,
  type Selected,
} from '../arguments/scope.js';
import { selectionsOf } from '../query/selection.js';

/** The operation of a generated field of Mutation. */
export type MutationOperation =
  | { readonly kind: 'create' | 'createMany' | 'update' | 'delete'; readonly table: Table }
  | { readonly kind: 'call'; readonly procedure: ProcedureDescriptor }
  | { readonly kind: 'function'; readonly function: FunctionDescriptor };

/** Every generated field of Mutation, by its name: decision 001. */
export function mutationOperations(registry: Registry): ReadonlyMap<string, MutationOperation> {
  const operations = new Map<string, MutationOperation>();
  for (const table of registry.tables) {
    const { insertable, updatable, deletable } = table;
    const names = rootFields(table);
    if (insertable === true) {
      operations.set(names.create, { kind: 'create', table });
      operations.set(names.createMany, { kind: 'createMany', table });
    }
    if (updatable === true) operations.set(names.update, { kind: 'update', table });
    if (deletable === true) operations.set(names.delete, { kind: 'delete', table });
  }
  for (const [field, procedure] of registry.procedures) operations.set(field, { kind: 'call', procedure });
  for (const [field, called] of registry.functions) {
    if (called.operation === 'mutation') operations.set(field, { kind: 'function', function: called });
  }
  return operations;
}

/** One field of a mutation, in the order of the document. */
export type MutationStep =
  /**
   * `whole`: the statement's JSON is the whole answer; otherwise graphql-js answers over it.
   * `around`: the user's code decides whether anything is written.
   */
  | {
      readonly kind: 'write';
      readonly selected: Selected;
      readonly write: WriteIntent;
      readonly whole: boolean;
      readonly around: boolean;
      /**
       * What graphql-js finds the statement's JSON under, where that is not the response key: see
       * `wholeKey`.
       */
      readonly key?: string;
    }
  | { readonly kind: 'typename'; readonly selected: Selected; readonly type: string }
  /** No rows to insert: an empty list. */
  | { readonly kind: 'nothing'; readonly selected: Selected; readonly around: boolean }
  /** Nothing says which rows: the field is null, with this error. */
  | { readonly kind: 'untargeted'; readonly selected: Selected; readonly error: GraphQLError }
  /** A field of the user's code. */
  | { readonly kind: 'custom'; readonly selected: Selected };

/**
 * The fields of a mutation as writes. Throws GraphQLError that names the field, with a
 * ServerError as `originalError`.
 */
export const mutationOf = (
  scope: Scope,
  operations: ReadonlyMap<string, MutationOperation>,
  mutation: GraphQLObjectType,
  fields: readonly Selected[],
): readonly MutationStep[] =>
  fields.map((selected) => located(selected, () => stepOf(scope, operations, mutation, selected)));

function stepOf(
  shared: Scope,
  operations: ReadonlyMap<string, MutationOperation>,
  mutation: GraphQLObjectType,
  selected: Selected,
): MutationStep {
  if (selected.name === '__typename') return { kind: 'typename', selected, type: mutation.name };
  const operation = operations.get(selected.name);
  if (operation === undefined) return { kind: 'custom', selected };
  const definition = fieldOfType(mutation, selected.name);
  const part = customPartOf(mutation, selected);
  if (part === 'instead') return { kind: 'custom', selected };
  const around = part === 'around';
  const scope: Scope = { ...shared, custom: { found: around } };
  const write = writeOf({ scope, definition, selected }, operation);
  if (write === 'nothing') return { kind: 'nothing', selected, around };
  if (write === 'untargeted') return { kind: 'untargeted', selected, error: untargeted(selected) };
  const step: MutationStep = { kind: 'write', selected, write, whole: !scope.custom.found, around };
  return isTakenApart(write, definition) ? { ...step, key: wholeKey(selected.as) } : step;
}

/**
 * A value of a function's that is an object in GraphQL and is written whole: graphql-js takes its
 * members out.
 */
const isTakenApart = (write: WriteIntent, { type }: GraphQLField<unknown, unknown>): boolean =>
  write.kind === 'function' &&
  write.rows === undefined &&
  write.select === undefined &&
  !isLeafType(getNamedType(type));

interface Place {
  readonly scope: Scope;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly selected: Selected;
}

function writeOf(place: Place, operation: MutationOperation): WriteIntent | 'nothing' | 'untargeted' {
  switch (operation.kind) {
    case 'create':
      return insertOf(place, operation.table, 'input', 'one');
    case 'createMany': {
      const inputs = requiredArgument(place, 'inputs');
      return inputs.items().length === 0 ? 'nothing' : insertOf(place, operation.table, 'inputs', 'list');
    }
    case 'update':
      return updateOf(place, operation.table);
    case 'delete':
      return deleteOf(place, operation.table);
    case 'call':
      return procedureCall(place, operation.procedure);
    case 'function':
      return functionCall(place, operation.function);
  }
}

function insertOf(place: Place, table: Table, argument: 'input' | 'inputs', as: Returning['as']): WriteIntent {
  const { scope, definition, selected } = place;
  const given = requiredArgument(place, argument);
  const conflict = presentArgument(scope, definition, selected, 'onConflict');
  const { registry } = scope;
  if ((table.relations ?? []).length > 0 && hasOtherWrites(table, given.current(), registry)) {
    const inside = createdInside(registry, table, given, conflict);
    return {
      kind: 'insert',
      table,
      form: graphqlForm,
      rows: given.value(),
      columns: columnsIn(table, given),
      inside,
      returning: returningOf(place, table, as),
    };
  }
  const shape = rowsShapeOf(scope.registry, table, given.items());
  return {
    kind: 'insert',
    table,
    form: graphqlForm,
    rows: as === 'one' ? rowValue(given, shape.columns) : given.value(),
    ...shape,
    ...(conflict === undefined ? {} : { onConflict: onConflictOf(scope.registry, table, conflict) }),
    returning: returningOf(place, table, as),
  };
}

function updateOf(place: Place, table: Table): WriteIntent | 'untargeted' {
  const { scope, definition, selected } = place;
  const where = targetOf(scope, table, definition, selected);
  if (where === undefined) return 'untargeted';
  const input = requiredArgument(place, 'input');
  const columns = writtenColumns(table, input);
  const inside = updatedInside(scope.registry, table, input);
  const inc = presentArgument(scope, definition, selected, 'inc');
  const increments = inc?.fields().map(([name, by]) => {
    if (by.isNull) throw malformedParameter(`inc: ${name} is null, which is not a number.`, 'Leave it out.');
    return { column: table.byField.get(name)?.name ?? name, by: by.value() };
  });
  return {
    kind: 'update',
    table,
    form: graphqlForm,
    where,
    columns,
    ...(columns.length === 0 ? {} : { set: rowValue(input, columns) }),
    ...(increments === undefined || increments.length === 0 ? {} : { inc: increments }),
    ...(inside === undefined ? {} : { inside }),
    ...atMostOf(place, table),
    returning: returningOf(place, table, 'list'),
  };
}

function deleteOf(place: Place, table: Table): WriteIntent | 'untargeted' {
  const { scope, definition, selected } = place;
  const where = targetOf(scope, table, definition, selected);
  if (where === undefined) return 'untargeted';
  return {
    kind: 'delete',
    table,
    form: graphqlForm,
    where,
    ...atMostOf(place, table),
    returning: returningOf(place, table, 'list'),
  };
}

function procedureCall({ scope, definition, selected }: Place, procedure: ProcedureDescriptor): WriteIntent {
  return {
    kind: 'call',
    procedure,
    form: graphqlForm,
    arguments: givenArguments(procedure.arguments, (name) => argumentOf(scope, definition, selected, name)),
  };
}

function functionCall({ scope, definition, selected }: Place, called: FunctionDescriptor): WriteIntent {
  const table = answeredTable(scope, called);
  const rows = called.returnsSet === true ? scope.settings['app.max-rows'] : 1;
  scope.budget.spend(rows);
  if (table === undefined) return { kind: 'function', ...valueOf(scope, called, definition, selected).value };
  const type = objectType(definition);
  const select = selectionsOf(scope, table, type, subFields(scope, type, selected), rows);
  const call = callOf(scope, called, definition, selected);
  const read: ReadIntent = { table, select, form: graphqlForm };
  const answered =
    called.returnsSet === true
      ? ({ kind: 'rows', read, count: 'none', format: 'json' } as const)
      : ({ kind: 'row', read } as const);
  return { kind: 'function', call, rows: answered, form: graphqlForm };
}

/**
 * How many rows a write answers is not known before, so lists below them count as they do below a
 * full list.
 */
function returningOf({ scope, definition, selected }: Place, table: Table, as: Returning['as']): Returning {
  const rows = as === 'one' ? 1 : scope.settings['app.max-rows'];
  scope.budget.spend(rows);
  const type = objectType(definition);
  const select = selectionsOf(scope, table, type, subFields(scope, type, selected), rows);
  return { select, as, format: 'json' };
}

/** `id` means one row: where tables inherit, several rows may have the key. */
function atMostOf(
  { scope, definition, selected }: Place,
  { inherited }: Table,
): Pick<WriteIntent & { kind: 'delete' }, 'atMost'> {
  const atMost = presentArgument(scope, definition, selected, 'atMost');
  if (atMost !== undefined) return { atMost: atMost.value() };
  const isById = inherited === true && presentArgument(scope, definition, selected, 'id') !== undefined;
  return isById ? { atMost: { read: () => 1, form: 'json' } } : {};
}

function requiredArgument({ scope, definition, selected }: Place, name: string): ArgumentValue {
  const given = argumentOf(scope, definition, selected, name);
  if (given === undefined) throw new TypeError(`${selected.name} has no ${name}; validation lets none through.`);
  return given;
}

function untargeted({ as, name, nodes }: Selected): GraphQLError {
  const reason = malformedParameter(
    `${name} has neither where nor id, so nothing was written.`,
    'Name the rows with `where`. `where: {}` is every row.',
  );
  return new GraphQLError(reason.message, { nodes, path: [as], originalError: reason });
}
