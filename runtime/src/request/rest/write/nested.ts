import type { RelationDescriptor } from '../../../descriptor/descriptor.js';
import { nestingOf } from '../../../descriptor/nesting.js';
import { fieldOf, writtenOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { codes, ServerError } from '../../../errors.js';
import { isRecord } from '../../../is-record.js';
import { unknownColumn } from '../../../plan/refuse.js';
import type { NestedRow } from '../../../plan/write/nested-write.js';
import { NestedRows, type Creating, type NestedNames } from '../../nested-rows.js';
import { malformedParameter, quoteName } from '../grammar/malformed.js';
import { resolveRelation } from '../read/relation.js';
import { readJson } from './body.js';
import { malformedBody } from './malformed.js';
import { jsonInput } from '../read/where.js';
import {
  atMostOf,
  begin,
  checkFiltered,
  common,
  returningOf,
  whereOf,
  type RestWrite,
  type WriteRequest,
} from './parse-write.js';
import { ownReads } from '../read/read-form.js';

/**
 * Parses a write that has failed because of members that are not columns again, as rows that
 * contain related rows. Undefined if no member is a relation: then the first error holds. Throws
 * ServerError 400.
 */
export function parseNested(
  request: WriteRequest,
  does: 'insert' | 'update',
  registry: Registry,
): RestWrite | undefined {
  const { table, headers, body } = request;
  const given = readJson(headers['content-type'], body);
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!list.some((row) => isRecord(row) && Object.keys(row).some((name) => isRelation(table, name, registry))))
    return undefined;
  const rows = new NestedRows(registry, namesOf(registry));
  const parts = begin(request, does === 'insert' ? 'POST' : 'PATCH');
  refusePreferences(parts);
  const read = withinStack(() =>
    list.map((row) => (does === 'insert' ? rows.created(table, asRow(row)) : rows.updated(table, asRow(row)))),
  );
  return does === 'insert' ? insertOf(request, parts, read, !Array.isArray(given)) : updateOf(request, parts, read);
}

type Parts = ReturnType<typeof begin>;

function insertOf({ table }: WriteRequest, parts: Parts, rows: readonly NestedRow[], single: boolean): RestWrite {
  const { builder, tokens } = parts;
  if (tokens.root.conditions.length > 0)
    throw malformedParameter('filter', 'rows that are inserted are not filtered.', 'Leave the filters out of the URL.');
  builder.structure('inside');
  const { read, form } = jsonInput(builder.input(rows));
  const returning = returningOf(parts, single && parts.form.insertedOne === 'object');
  const atMost = atMostOf(parts);
  return {
    rows: { count: rows.length, single },
    intent: (registry) => ({
      kind: 'insert',
      table,
      rows: { read, form },
      columns: columnsOf(rows),
      inside: { relations: [], rows: (inputs) => read(inputs) as readonly NestedRow[] },
      returning: returning(registry),
      ...atMost,
      form: parts.form,
    }),
    ...common(parts),
  };
}

function updateOf(request: WriteRequest, parts: Parts, rows: readonly NestedRow[]): RestWrite {
  const { table } = request;
  const { builder } = parts;
  checkFiltered(parts.tokens, request);
  const [row, ...more] = rows;
  if (row === undefined || more.length > 0) throw malformedBody('PATCH takes one object: the columns to change.');
  const relations = [...new Set(row.relations.map(({ relation }) => relation.name))].sort();
  builder.names('inside', relations);
  const { read } = jsonInput(builder.input(rows));
  const returning = returningOf(parts, false);
  const atMost = atMostOf(parts);
  return {
    intent: (registry) => ({
      kind: 'update',
      table,
      ...whereOf(parts, registry),
      columns: columnsOf(rows),
      inside: { relations, rows: (inputs) => read(inputs) as readonly NestedRow[] },
      returning: returning(registry),
      ...atMost,
      form: parts.form,
    }),
    ...common(parts),
  };
}

const columnsOf = (rows: readonly NestedRow[]) =>
  [...new Set(rows.flatMap(({ values }) => Object.keys(values)))].map((column) => ({ column, key: column }));

/** Refuses preferences that nested rows cannot follow: each row is written with its own columns. */
function refusePreferences({ special, preferences }: Parts): void {
  const hint = 'Write the rows inside on their own, or leave it out.';
  if (special.columns !== undefined) throw malformedParameter('columns', 'it does not go with rows inside rows.', hint);
  if (special.onConflict !== undefined || preferences.resolution !== undefined)
    throw malformedParameter('on_conflict', 'rows with rows inside are not merged.', hint);
}

/** `comments`, or `people!assignee_id`: as in `select`. */
function relationAt(table: Table, given: string, registry: Registry): RelationDescriptor {
  const at = given.indexOf('!');
  const [name, hint] = at === -1 ? [given, undefined] : [given.slice(0, at), given.slice(at + 1)];
  return resolveRelation(table, name, hint, { registry, form: ownReads }).descriptor;
}

function isRelation(table: Table, name: string, registry: Registry): boolean {
  if (writtenOf(table).byRestName.has(name)) return false;
  try {
    relationAt(table, name, registry);
    return true;
  } catch (error) {
    // The name of a relation that is ambiguous. Reading the member reports the candidates.
    return error instanceof ServerError && error.hint?.startsWith('Say which') === true;
  }
}

const namesOf = (registry: Registry): NestedNames => ({
  column: (table, name) => writtenOf(table).byRestName.get(name),
  relation: (table, name) => {
    if (!isRelation(table, name, registry)) throw unknownColumn(name, table);
    return relationAt(table, name, registry);
  },
  nameOf: (column) => (registry.restNames === 'field' ? fieldOf(column) : column.name),
  refuse: malformedBody,
  check: (table, relation, given, creating) => {
    checkSteps(table, relation, given, creating, registry);
  },
});

/** Checks a body against the rules that the GraphQL schema expresses by its types. */
function checkSteps(
  table: Table,
  relation: RelationDescriptor,
  given: unknown,
  creating: Creating,
  registry: Registry,
): void {
  const { name } = relation;
  const steps = stepsOf(table, relation, creating, registry);
  const hint = steps.length === 0 ? 'Write those rows on their own.' : `It takes ${steps.join(', ')}.`;
  if (!isRecord(given)) throw malformedBody(`${name} is a relation: an object with the changes of its rows.`, hint);
  for (const [step, part] of Object.entries(given)) {
    if (!steps.includes(step)) throw malformedBody(`${name} does not take ${quoteName(step)}.`, hint);
    if (part !== null && step !== 'onConflict') checkPart(relation, step, part);
  }
}

function stepsOf(
  table: Table,
  relation: RelationDescriptor,
  creating: Creating,
  registry: Registry,
): readonly string[] {
  const can = nestingOf(table, relation, (field) => registry.table.get(field));
  if (can === undefined) return [];
  const connecting = [...(can.connect ? ['connect'] : []), ...(can.connect && can.create ? ['connectOrCreate'] : [])];
  if (creating === 'data') return [...(can.create ? ['data', 'onConflict'] : []), ...connecting];
  return [
    ...(can.disconnect ? ['disconnect'] : []),
    ...(can.delete ? ['delete'] : []),
    ...(can.update ? ['update'] : []),
    ...(can.update && can.create ? ['upsert'] : []),
    ...connecting,
    ...(can.create ? ['create'] : []),
  ];
}

function checkPart({ name, cardinality }: RelationDescriptor, step: string, part: unknown): void {
  const isMany = cardinality === 'many';
  if (!isMany && (step === 'disconnect' || step === 'delete')) {
    if (typeof part !== 'boolean') throw malformedBody(`${name}: ${step} is true or false.`);
    return;
  }
  const list: readonly unknown[] = Array.isArray(part) ? part : [part];
  if (!isMany && Array.isArray(part)) throw malformedBody(`${name}: ${step} is one row, and not a list.`);
  const members = membersOf(step, isMany);
  for (const each of list) {
    const isComplete = isRecord(each) && members.every((member) => isRecord(each[member]));
    const isAll = isRecord(each) && (members.length === 0 || Object.keys(each).every((key) => members.includes(key)));
    if (isComplete && isAll) continue;
    const form = members.length === 0 ? 'an object' : `an object with ${members.join(' and ')}`;
    throw malformedBody(`${name}: ${step} takes ${form}${isMany ? ', or a list of those' : ''}.`);
  }
}

function membersOf(step: string, isMany: boolean): readonly string[] {
  switch (step) {
    case 'update':
      return isMany ? ['where', 'data'] : [];
    case 'upsert':
      return [...(isMany ? ['where'] : []), 'create', 'update'];
    case 'connectOrCreate':
      return ['where', 'create'];
    default:
      return [];
  }
}

function asRow(given: unknown): unknown {
  if (isRecord(given)) return given;
  throw malformedBody(
    'The body has to be a JSON object, or a list of objects.',
    'Its members are columns: {"name": "Ada"}.',
  );
}

function withinStack<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw malformedBody('The body is nested too deeply.');
    throw error;
  }
}

/** Whether a body has a member that is not a column, and may be a relation. */
export const mayBeNested = (error: unknown): boolean =>
  error instanceof ServerError && error.code === codes.unknownColumn;
