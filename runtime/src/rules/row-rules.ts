import type { ColumnType } from '../descriptor/descriptor.js';
import type { Table } from '../descriptor/registry.js';
import { ruleFor, type RowRule, type RuleRows, type RuleValue } from '../descriptor/row-rules.js';
import { rowKeyOf } from '../descriptor/unique-keys.js';
import type { Identity } from '../dialect/driver.js';
import { misconfigured, ServerError } from '../errors.js';
import { isRecord } from '../is-record.js';
import { nearest } from '../nearest.js';
import type { PlanContext } from '../plan/context.js';
import type { RowConditions, Value } from '../plan/intent.js';
import { planFilter } from '../plan/read/filters.js';
import { keyColumns } from '../plan/read/orders.js';
import type { Condition } from '../plan/read/plan.js';
import { constantFilter, takeCondition } from '../request/graphql/arguments/row-condition.js';
import { onceForEach } from '../once-for-each.js';
import { fittingText, fittingTexts, isComparable, ruleValueReader } from './rule-values.js';

type Context = Pick<PlanContext, 'registry' | 'settings' | 'dialect'>;

/** What a rule says for an identity. Both conditions undefined: all rows. */
export interface RuledTable {
  readonly read: Condition | undefined;
  readonly write: Condition | undefined;
  readonly hidden: ReadonlySet<string> | undefined;
  /** Equal for identities that differ in values only; undefined where nothing is limited. */
  readonly shape: string | undefined;
  /** The values of the conditions, by the key under which they are read. */
  readonly values: readonly (readonly [string, readonly unknown[]])[];
}

/** The rule of a table. */
export interface TableRule {
  readonly table: Table;
  readonly of: (identity: Identity) => RuledTable;
}

/**
 * The rules of tables, by the field of the table. Decision 031.
 * @throws ServerError `misconfigured` for a rule that does not fit the database
 */
export function compileRules(context: Context): ReadonlyMap<string, TableRule> {
  const { rules = {}, tables } = context.registry;
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  return new Map(
    Object.entries(rules).map(([name, rule]) => {
      const table = byName.get(name);
      const place = `rules['${name}']`;
      if (table === undefined) throw unusableRule(place, 'there is no such table', hintOf(name, byName.keys()));
      if (table.transactional === false)
        throw unusableRule(
          place,
          'the engine of the table has no transactions, so that a write which the rule refuses would be kept',
          'Change the table: alter table … engine = InnoDB.',
        );
      return [table.field, tableRule(table, rule, place, context)];
    }),
  );
}

function tableRule(table: Table, rule: RowRule, place: string, context: Context): TableRule {
  if (rule.write !== undefined && rule.read === undefined)
    throw unusableRule(place, 'it has `write` and no `read`', 'Write `read: true` where all rows may be read.');
  if (rule.read === true && rule.write === undefined)
    throw unusableRule(
      place,
      'it has `read: true` and no `write`',
      'Write `write: true` where all rows may be written.',
    );
  const all = new RoleRows(table, rule, undefined, place, context);
  const byRole = new Map(
    Object.keys(rule.roles ?? {}).map((role) => [role, new RoleRows(table, rule, role, place, context)] as const),
  );
  return { table, of: (identity) => (byRole.get(identity.role ?? '') ?? all).of(identity) };
}

/** What one role may do with a table. */
class RoleRows {
  readonly #read: RuleCondition | undefined;
  readonly #write: RuleCondition | undefined;
  readonly #hidden: ReadonlySet<string> | undefined;

  constructor(
    table: Table,
    rule: RowRule,
    private readonly role: string | undefined,
    tablePlace: string,
    context: Context,
  ) {
    const place = role === undefined ? tablePlace : `${tablePlace}.roles['${role}']`;
    const { read, write, hide } = ruleFor(rule, role);
    this.#read = compileRows(read, table, 'read', `${place}.read`, context);
    this.#write = write === read ? this.#read : compileRows(write, table, 'write', `${place}.write`, context);
    this.#hidden = hide.length === 0 ? undefined : hiddenColumns(hide, table, `${place}.hide`);
    const writes = table.insertable === true || table.updatable === true;
    if (this.#write !== undefined && write !== false && writes && keyColumns(table) === undefined)
      throw unusableRule(`${place}.write`, 'rows of the table have no key, by which written rows are checked', keyHint);
  }

  /** Token caches keep identities: their next request finds what was worked out. */
  readonly of = onceForEach((identity: Identity): RuledTable => {
    const parts = [this.#read, this.#write].map((each) => each?.of(identity));
    const [read, write] = parts;
    const isLimited = read !== undefined || write !== undefined || this.#hidden !== undefined;
    return {
      read: read?.condition,
      write: write?.condition,
      hidden: this.#hidden,
      shape: isLimited ? JSON.stringify([this.role ?? null, ...parts.map((each) => each?.shape ?? null)]) : undefined,
      values: parts.flatMap((each) => (each === undefined ? [] : [each.values])),
    };
  });
}

const keyHint = 'Add a key to the table, name one with `keys` in the configuration, or write `write: false`.';

/** Hidden columns of a key would take the row's identity from clients, and from the server. */
function hiddenColumns(hide: readonly string[], table: Table, place: string): ReadonlySet<string> {
  const key = new Set([...(rowKeyOf(table) ?? []), ...(keyColumns(table) ?? [])]);
  for (const name of hide) {
    if (!table.byName.has(name))
      throw unusableRule(place, `there is no column ${name}`, hintOf(name, table.byName.keys()));
    if (key.has(name)) throw unusableRule(place, `${name} is a column of the key of the table`, 'Leave it out.');
  }
  return new Set(hide);
}

/** A place in a condition that takes a value of the identity. */
interface Asked {
  readonly value: Value;
  readonly read: (identity: Identity) => unknown;
}

interface Typed extends Asked {
  readonly type: ColumnType;
  readonly isList: boolean;
}

/** No alternative holds for no row. */
const noRows: Condition = { kind: 'or', conditions: [] };

function compileRows(
  rows: RuleRows,
  table: Table,
  part: string,
  place: string,
  context: Context,
): RuleCondition | undefined {
  if (rows === true) return undefined;
  const key = `${table.field}\0${part}`;
  if (rows === false) return new RuleCondition(key, noRows, [], context);
  const refuse = (what: string): ServerError => unusableRule(place, what);
  const asked: Asked[] = [];
  try {
    const taken = takeCondition(context.registry, table, rows, refuse);
    const filter = constantFilter(context.registry, table, taken, (given) => {
      if (!isRuleValue(given)) {
        if (hasRuleValue(given)) throw refuse('a claim stands inside another value');
        return undefined;
      }
      const value = valueAt(key, asked.length, place);
      asked.push({ value, read: ruleValueReader(given, place) });
      return value;
    });
    const condition = planFilter(filter, table, { ...context, rowFilter: undefined });
    return new RuleCondition(key, exactly(condition, asked), typedValues(condition, asked, refuse), context);
  } catch (error) {
    if (!(error instanceof ServerError) || error.status === 500) throw error;
    throw unusableRule(place, error.message.replace(/\.$/, ''), error.hint, error);
  }
}

const valueAt = (key: string, at: number, place: string): Value => ({
  read: (_inputs, conditions) => readAt(conditions, key, at),
  form: 'json',
  hook: place,
});

function readAt(conditions: RowConditions | undefined, key: string, at: number): unknown {
  const values = conditions?.get(key) as readonly unknown[] | undefined;
  if (values === undefined) throw new TypeError(`The rule ${key} was not asked for a statement that it limits.`);
  return values[at];
}

function isRuleValue(given: unknown): given is RuleValue {
  if (!isRecord(given) || Object.keys(given).length !== 1) return false;
  return typeof given['claim'] === 'string' || given['role'] === true;
}

const hasRuleValue = (given: unknown): boolean =>
  isRuleValue(given) || (typeof given === 'object' && given !== null && Object.values(given).some(hasRuleValue));

type Operation = Extract<Condition, { kind: 'operation' }>;

/** Each value with the type that it is compared with. A value that no operator takes is refused. */
function typedValues(condition: Condition, asked: readonly Asked[], refuse: (what: string) => ServerError): Typed[] {
  const parameters = [...operationsOf(condition)].flatMap((each) => each.parameters);
  return asked.map((each) => {
    const parameter = parameters.find(({ value }) => value === each.value);
    if (parameter === undefined || (parameter.as !== 'value' && parameter.as !== 'list'))
      throw refuse('a claim is compared by eq, neq, gt, gte, lt, lte, in and notIn');
    if (!isComparable(parameter.type))
      throw refuse(
        `a claim is not compared with ${parameter.subject ?? 'a value'}, which is of ${parameter.type.kind}`,
      );
    return { ...each, type: parameter.type, isList: parameter.as === 'list' };
  });
}

function* operationsOf(of: Condition): Generator<Operation> {
  switch (of.kind) {
    case 'operation':
      yield of;
      break;
    case 'and':
    case 'or':
      for (const each of of.conditions) yield* operationsOf(each);
      break;
    case 'not':
    case 'notTrue':
      yield* operationsOf(of.condition);
      break;
    case 'exists':
    case 'missing':
      if (of.where !== undefined) yield* operationsOf(of.where);
      break;
    case 'cursor':
      break;
  }
}

/** Texts of the identity are compared by their characters: see `exact` of a condition. */
function exactly(of: Condition, asked: readonly Asked[]): Condition {
  switch (of.kind) {
    case 'operation':
      return of.parameters.some(({ value }) => asked.some((each) => each.value === value))
        ? { ...of, exact: true }
        : of;
    case 'and':
    case 'or':
      return { ...of, conditions: of.conditions.map((each) => exactly(each, asked)) };
    case 'not':
    case 'notTrue':
      return { ...of, condition: exactly(of.condition, asked) };
    case 'exists':
    case 'missing':
      return of.where === undefined ? of : { ...of, where: exactly(of.where, asked) };
    case 'cursor':
      return of;
  }
}

/** A condition, for identities that may lack some of its values. */
class RuleCondition {
  /** By the places of the values that are missing. */
  readonly #without = new Map<string, Condition>();

  constructor(
    private readonly key: string,
    private readonly whole: Condition,
    private readonly asked: readonly Typed[],
    private readonly context: Context,
  ) {}

  of(identity: Identity) {
    const { registry } = this.context;
    const texts = this.asked.map(({ read, type, isList }) =>
      (isList ? fittingTexts : fittingText)(read(identity), type, registry),
    );
    const missing = texts.flatMap((text, at) => (text === undefined ? [at] : []));
    const shape = missing.join();
    let condition = missing.length === 0 ? this.whole : this.#without.get(shape);
    if (condition === undefined) {
      const values = new Set(missing.flatMap((at) => this.asked[at]?.value ?? []));
      condition = withoutValues(this.whole, values) ?? noRows;
      this.#without.set(shape, condition);
    }
    return { condition, shape, values: [this.key, texts] as const };
  }
}

/**
 * The condition where a comparison with a missing value holds for no row; undefined where nothing
 * is left that could hold. Inside `not`, `none` and `every`, where less found is more shown, one
 * missing value is enough for that.
 */
function withoutValues(of: Condition, missing: ReadonlySet<Value>): Condition | undefined {
  const lacks = (operation: Operation): boolean => operation.parameters.some(({ value }) => missing.has(value));
  switch (of.kind) {
    case 'operation':
      return lacks(of) ? undefined : of;
    case 'and':
    case 'or': {
      const left = of.conditions.flatMap((each) => withoutValues(each, missing) ?? []);
      const holds = of.kind === 'and' ? left.length === of.conditions.length : left.length > 0;
      return holds ? { kind: of.kind, conditions: left } : undefined;
    }
    case 'not':
    case 'notTrue':
    case 'missing':
      return [...operationsOf(of)].some(lacks) ? undefined : of;
    case 'exists': {
      if (of.where === undefined) return of;
      const where = withoutValues(of.where, missing);
      return where === undefined ? undefined : { ...of, where };
    }
    case 'cursor':
      return of;
  }
}

const hintOf = (name: string, names: Iterable<string>): string | undefined => {
  const meant = nearest(name, names);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
};

const unusableRule = (place: string, what: string, hint?: string, cause?: unknown): ServerError =>
  misconfigured(`${place} cannot be used: ${what}.`, hint ?? 'docs/row-rules.md describes rules.', cause);
