import type { ModelOptions } from '../../descriptor/options.js';
import type { RoleRule, RowRule } from '../../descriptor/row-rules.js';
import { isRecord } from '../../is-record.js';
import { Patterns } from '../../model/patterns.js';
import { keyOf, type TableShape } from './shape.js';

type Named = Pick<TableShape, 'schema' | 'name'>;
type Restricting = Pick<ModelOptions, 'exclude' | 'rules' | 'rename'>;

/** Whether the configuration leaves something out, or limits who sees it. */
export const isRestricting = ({ exclude = [], rules = {} }: Restricting): boolean =>
  exclude.length > 0 || Object.keys(rules).length > 0;

/** What `exclude`, `hide` and the conditions of rules name. */
export class Protection {
  readonly hasRules: boolean;
  readonly #exclude: Patterns;
  readonly #hidden: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #conditional: ReadonlySet<string>;
  /** The names in conditions, which may be those of fields. */
  readonly #named: ReadonlySet<string>;

  readonly #renamed: NonNullable<ModelOptions['rename']>;

  constructor({ exclude, rules = {}, rename = {} }: Restricting) {
    const all = Object.entries(rules).map(([table, rule]) => ({ table, parts: partsOf(rule) }));
    const conditions = all.map(({ table, parts }) => ({ table, names: parts.flatMap(namesOf) }));
    this.hasRules = all.length > 0;
    this.#exclude = new Patterns(exclude);
    this.#renamed = rename;
    this.#hidden = new Map(all.map(({ table, parts }) => [table, new Set(parts.flatMap(({ hide = [] }) => hide))]));
    this.#conditional = new Set(conditions.filter(({ names }) => names.length > 0).map(({ table }) => table));
    this.#named = new Set(conditions.flatMap(({ names }) => names.map(plain)));
  }

  isExcluded({ schema, name }: Named, column?: string): boolean {
    if (this.#exclude.matches(schema, name)) return true;
    return column !== undefined && this.#exclude.matches(schema, name, column);
  }

  isRuled(table: Named): boolean {
    return this.#hidden.has(keyOf(table));
  }

  /** Whether the column is excluded, or hidden from anyone. */
  covers(table: Named, column: string): boolean {
    return this.isExcluded(table, column) || this.#hidden.get(keyOf(table))?.has(column) === true;
  }

  /** Whether a condition names the column: also in another table, where a relation may lead. */
  reads(table: Named, column: string): boolean {
    const field = this.#renamed[keyOf(table)]?.columns?.[column] ?? column;
    return this.#named.has(plain(field));
  }

  /** Whether the table has a rule with a condition, which may also follow its foreign keys. */
  hasCondition(table: Named): boolean {
    return this.#conditional.has(keyOf(table));
  }

  /** Whether the table or a column of it is left out, hidden, or limited. */
  guards(table: Named & Pick<TableShape, 'columns'>): boolean {
    if (this.isRuled(table) || this.isExcluded(table)) return true;
    return table.columns.some(({ name }) => this.covers(table, name));
  }

  /** Whether the table or a column of it is protected, or decides what is. */
  concerns(table: Named & Pick<TableShape, 'columns'>): boolean {
    return this.guards(table) || table.columns.some(({ name }) => this.reads(table, name));
  }
}

const partsOf = ({ roles = {}, ...rule }: RowRule): readonly RoleRule[] => [rule, ...Object.values(roles)];

const namesOf = ({ read, write }: RoleRule): readonly string[] => [...keysIn(read), ...keysIn(write)];

/** All keys of a condition: fields, relations, and operators, which do no harm. */
function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return isRecord(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]) : [];
}

/** The field `ownerId` may be of the column `owner_id`. */
const plain = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
