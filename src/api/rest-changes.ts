import type { ApiChange, ApiChangeType, Model, RelationDescriptor } from '@tablewright/runtime/model';
import type { Severity } from './change.js';

/** The effects of a change of the model on REST. */
export interface RestChange {
  readonly change: ApiChange;
  /**
   * That of the change, or RELATION_RENAMED: only requests that use GraphQL's name of the relation
   * break.
   */
  readonly code: ApiChangeType | 'RELATION_RENAMED';
  readonly severity: Severity;
  readonly description: string;
}

type Meaning = readonly [severity: Severity, description: (object: string, member: string) => string];

const requests = 'in select, order, filters and bodies';

/** Absent: REST has database names, so the change is GraphQL's alone. */
const meanings: Readonly<Partial<Record<ApiChangeType, Meaning>>> = {
  TABLE_ADDED: ['safe', (table) => `/${table} is a new path.`],
  TABLE_REMOVED: ['breaking', (table) => `Requests to /${table} are answered 404.`],
  WRITE_ADDED: ['safe', (table) => `/${table} takes more methods.`],
  WRITE_REMOVED: ['breaking', (table) => `Some methods of /${table} are answered 405.`],
  PRIMARY_KEY_CHANGED: ['breaking', (table) => `/${table}/{id}, PUT and upserts use another key.`],
  CONSTRAINT_ADDED: ['safe', (table) => `Upserts into /${table} can use the key.`],
  CONSTRAINT_REMOVED: ['breaking', (table) => `Upserts into /${table} that name its columns in on_conflict fail.`],
  COLUMN_ADDED: ['safe', (_table, column) => `${column} can be used ${requests}.`],
  REQUIRED_COLUMN_ADDED: ['breaking', (table, column) => `POST to /${table} without ${column} fails.`],
  COLUMN_REMOVED: ['breaking', (_table, column) => `${column} ${requests} is refused with 400.`],
  COLUMN_TYPE_CHANGED: ['breaking', (_table, column) => `${column} has other values, and takes others.`],
  COLUMN_BECAME_NULLABLE: ['dangerous', (_table, column) => `Answers may have null for ${column}.`],
  COLUMN_BECAME_NOT_NULL: ['safe', (_table, column) => `Answers never have null for ${column}.`],
  COLUMN_BECAME_REQUIRED: ['breaking', (table, column) => `POST to /${table} without ${column} fails.`],
  COLUMN_BECAME_READ_ONLY: ['breaking', (_table, column) => `Bodies with ${column} are refused.`],
  COLUMN_BECAME_SEARCHABLE: ['safe', (_table, column) => `${column} takes full-text search.`],
  COLUMN_BECAME_UNSEARCHABLE: ['breaking', (_table, column) => `Full-text search in ${column} is refused with 400.`],
  RELATION_CHANGED: ['breaking', (table) => `Rows that /${table} embeds are others, or have another form.`],
  COMPUTED_FIELD_ADDED: ['safe', (_table, field) => `${field} can be selected.`],
  COMPUTED_FIELD_REMOVED: ['breaking', (_table, field) => `${field} in select is refused with 400.`],
  COMPUTED_FIELD_CHANGED: ['breaking', (_table, field) => `${field} has other values.`],
  COMPUTED_FIELD_ARGUMENT_ADDED: ['safe', (_table, field) => `${field} takes one more parameter, ${field}(…).`],
  COMPUTED_FIELD_ARGUMENT_REQUIRED: [
    'breaking',
    (_table, field) => `${field} without its argument is refused with 400.`,
  ],
  ENUM_VALUE_ADDED: ['dangerous', (_type, value) => `Answers may have the new value ${value}.`],
  ENUM_VALUE_REMOVED: ['breaking', (_type, value) => `${value} in filters and bodies is refused with 400.`],
  FUNCTION_ADDED: ['safe', (field) => `The function of ${field} can be called below /rpc.`],
  FUNCTION_REMOVED: ['breaking', (field) => `Calls below /rpc of the function of ${field} are answered 404.`],
  FUNCTION_CHANGED: ['breaking', (field) => `The function of ${field} takes or answers something else below /rpc.`],
  FUNCTION_ARGUMENT_ADDED: ['safe', (field) => `The function of ${field} takes one more argument below /rpc.`],
  FUNCTION_ARGUMENT_REQUIRED: ['breaking', (field) => `Calls below /rpc without the argument of ${field} are refused.`],
  PROCEDURE_ADDED: ['safe', (field) => `The procedure of ${field} can be called below /rpc.`],
  PROCEDURE_REMOVED: ['breaking', (field) => `Calls below /rpc of the procedure of ${field} are answered 404.`],
  PROCEDURE_CHANGED: ['breaking', (field) => `The procedure of ${field} takes or answers something else below /rpc.`],
  PROCEDURE_ARGUMENT_ADDED: ['safe', (field) => `The procedure of ${field} takes one more argument below /rpc.`],
  PROCEDURE_ARGUMENT_REQUIRED: [
    'breaking',
    (field) => `Calls below /rpc without the argument of ${field} are refused.`,
  ],
  ATTRIBUTE_ADDED: ['safe', (_type, attribute) => `Values have the new attribute ${attribute}.`],
  ATTRIBUTE_REMOVED: ['breaking', (_type, attribute) => `Values have no attribute ${attribute}.`],
  ATTRIBUTE_TYPE_CHANGED: ['breaking', (_type, attribute) => `The attribute ${attribute} has other values.`],
};

/** The changes of a model that clients of REST see, with their descriptions. */
export function restChanges(changes: readonly ApiChange[], before: Model, after: Model): readonly RestChange[] {
  const [old, now] = [relationsByName(before), relationsByName(after)];
  const called = [columnNames(before), columnNames(after)] as const;
  return changes.flatMap((change): readonly RestChange[] => {
    const { type, subject } = change;
    if (type.startsWith('PROCEDURE_') && after.options.restProcedures !== true) return [];
    if (type === 'RELATION_REMOVED' || type === 'RELATION_ADDED') return embedding(change, old, now);
    if (type === 'COLUMN_RENAMED') return columnRenamed(change, ...called);
    const meaning = meanings[type];
    if (meaning === undefined) return [];
    const [severity, describe] = meaning;
    const path = subject.object.slice(subject.object.indexOf('.') + 1);
    // A table that had no key takes nothing away when it gets one.
    const milder = type === 'PRIMARY_KEY_CHANGED' && !change.breaking;
    return [
      { change, code: type, severity: milder ? 'safe' : severity, description: describe(path, subject.member ?? '') },
    ];
  });
}

/** REST's names of columns, by `schema.table.column` of the database. */
function columnNames({ tables, options }: Model): ReadonlyMap<string, string> {
  const isCamel = options.names?.columns === 'camel';
  return new Map(
    tables.flatMap(({ descriptor: { schema, name: table }, columns }) =>
      columns.map(({ field, descriptor: { name } }) => [`${schema}.${table}.${name}`, isCamel ? field : name] as const),
    ),
  );
}

/**
 * Another field of GraphQL is another name over REST only where columns are in camel case before or
 * after.
 */
function columnRenamed(
  change: ApiChange,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly RestChange[] {
  const { object, member = '' } = change.subject;
  const [was, is] = [before, after].map((names) => names.get(`${object}.${member}`));
  if (was === undefined || is === undefined || was === is) return [];
  const description = `${was} ${requests} is refused with 400: the column is called ${is}.`;
  return [{ change, code: change.type, severity: 'breaking', description }];
}

type Relations = ReadonlyMap<string, Located>;

/** A relation with the table it leads to, as REST embeds it. */
interface Located {
  readonly descriptor: RelationDescriptor;
  readonly from: string;
  readonly to: string;
}

function relationsByName({ tables }: Model): Relations {
  const names = new Map(tables.map(({ descriptor }) => [descriptor.field, descriptor.name]));
  return new Map(
    tables.flatMap((table) => {
      const from = `${table.descriptor.schema}.${table.descriptor.name}`;
      return table.relations.map(({ descriptor }) => {
        const to = names.get(descriptor.table) ?? descriptor.table;
        return [`${from}: ${descriptor.name}`, { descriptor, from, to }] as const;
      });
    }),
  );
}

/**
 * REST embeds by the other table's name: another name of the relation matters only to those who use
 * that.
 */
function embedding(change: ApiChange, old: Relations, now: Relations): readonly RestChange[] {
  const { object, member = '' } = change.subject;
  const gone = change.type === 'RELATION_REMOVED';
  const [own, others] = gone ? [old, now] : [now, old];
  const relation = own.get(`${object}: ${member}`);
  if (relation === undefined) return [];
  const stays = [...others.values()].some((other) => sameKey(other, relation));
  if (gone) {
    const description = stays
      ? `${relation.to} can be embedded by its table's name, and no longer by ${member}.`
      : `${relation.to} can no longer be embedded along ${relation.descriptor.constraint}.`;
    return [{ change, code: stays ? 'RELATION_RENAMED' : change.type, severity: 'breaking', description }];
  }
  if (stays) return [];
  const ambiguous =
    relation.descriptor.direction !== 'through' &&
    relation.descriptor.function === undefined &&
    countDirect(old, relation) === 1 &&
    countDirect(now, relation) > 1;
  const description = ambiguous
    ? `Embedding ${relation.to} without a hint is ambiguous now, and refused with 400.`
    : `${relation.to} can be embedded.`;
  return [{ change, code: change.type, severity: ambiguous ? 'breaking' : 'safe', description }];
}

const sameKey = (a: Located, b: Located): boolean =>
  a.from === b.from &&
  a.to === b.to &&
  a.descriptor.constraint === b.descriptor.constraint &&
  a.descriptor.direction === b.descriptor.direction;

/** Ways from the one table to the other that do not lead through a junction table. */
const countDirect = (relations: Relations, { from, to }: Located): number =>
  [...relations.values()].filter(
    (each) =>
      each.from === from &&
      each.to === to &&
      each.descriptor.direction !== 'through' &&
      each.descriptor.function === undefined,
  ).length;
