import type { Table } from '../../../descriptor/registry.js';
import { limits } from './limits.js';
import { limitExceeded, malformedParameter } from './malformed.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';
import { Scanner } from './scanner.js';

/**
 * The target of a parameter's name: a part of the table in the path, or of the table that is
 * embedded along `path`.
 */
export interface ParameterName {
  readonly path: readonly string[];
  readonly target: ParameterTarget;
}

export type ParameterTarget =
  | { readonly kind: 'select' | 'order' | 'limit' | 'offset' | 'ignored' | 'not' }
  | { readonly kind: 'group'; readonly group: 'and' | 'or'; readonly negated: boolean }
  /** A column with its JSON path, as the client wrote it. */
  | { readonly kind: 'column'; readonly column: string }
  /** An argument of a computed field. */
  | { readonly kind: 'argument'; readonly field: string; readonly argument: string };

/**
 * Parameters of the table in the path. Only writes use `columns` and `on_conflict`.
 * Source: decision 006.
 */
const reserved = new Map<string, ParameterTarget>([
  ['select', { kind: 'select' }],
  ['order', { kind: 'order' }],
  ['limit', { kind: 'limit' }],
  ['offset', { kind: 'offset' }],
  ['or', { kind: 'group', group: 'or', negated: false }],
  ['and', { kind: 'group', group: 'and', negated: false }],
  ['not.or', { kind: 'group', group: 'or', negated: true }],
  ['not.and', { kind: 'group', group: 'and', negated: true }],
  ['not', { kind: 'not' }],
  ['columns', { kind: 'ignored' }],
  ['on_conflict', { kind: 'ignored' }],
]);

/**
 * Parameters of an embedded table. `select` is missing because it has no meaning there, so it can
 * name a column.
 */
const embeddedReserved = new Set(['order', 'limit', 'offset', 'or', 'and', 'not.or', 'not.and']);

/**
 * Reads a parameter's name. If a column of the table has dots in its name, it takes precedence over
 * an embedded table of that name. A quoted name is always a column, even if it is reserved.
 * `field(argument)` is an argument of a computed field. Throws ServerError 400.
 *
 * @accepts `price_in(currency)` `rel.price_in(currency)` `id` `order` `not.or` `rel.id` `rel.order`
 * @accepts `a.b.limit` `rel.not.and` `"order"` `rel."a.b"` `data->a.b->>c` `rel.data->>a`
 * @rejects `.a` `a.` `a..b` `"a` `"a"b`
 */
export function readParameterName(name: string, table: Table, grammar: RestGrammar = ownGrammar): ParameterName {
  const known = reserved.get(name);
  if (known !== undefined) return { path: [], target: known };
  const cut = grammar.castsInFilters === 'ignored' ? name.indexOf('::') : 0;
  if (cut > 0) return readParameterName(name.slice(0, cut), table, grammar);
  if (grammar.blanks === 'ignored' && name.trim() !== name) return readParameterName(name.trim(), table, grammar);
  if (table.byRestName.has(name)) return { path: [], target: { kind: 'column', column: name } };
  if (!name.includes('.') && !name.startsWith('"')) return columnOrArgument([], name);
  return readDotted(new Scanner(name, name, malformedParameter, grammar));
}

/**
 * The form `field(argument)`. A column of an embedded table whose name ends in a bracket needs
 * quotes.
 */
const argumentForm = /^([^"()>]+)\(([^"()>]+)\)$/;

function columnOrArgument(path: readonly string[], text: string): ParameterName {
  const [, field, argument] = (text.endsWith(')') ? argumentForm.exec(text) : null) ?? [];
  if (field === undefined || argument === undefined) return { path, target: { kind: 'column', column: text } };
  return { path, target: { kind: 'argument', field, argument } };
}

function readDotted(scanner: Scanner): ParameterName {
  const path: string[] = [];
  for (;;) {
    const rest = scanner.text.slice(scanner.at);
    const known = path.length > 0 && embeddedReserved.has(rest) ? reserved.get(rest) : undefined;
    if (known !== undefined) return { path, target: known };
    const segment = scanner.name('.', 'a name');
    // Dots after an arrow belong to the JSON key.
    if (scanner.done || scanner.looksAt('->')) return columnOrArgument(path, rest);
    scanner.expect('.');
    path.push(segment);
    if (path.length > limits.depth) throw limitExceeded(`Parameter "${scanner.parameter}" is too deep.`);
  }
}
