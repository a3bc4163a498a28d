import { ServerError } from '../../../errors.js';
import { unknownColumn } from '../../../plan/refuse.js';
import type { Table } from '../../../descriptor/registry.js';
import type { ShapeBuilder } from './shape-builder.js';
import { computedOf } from './computed-name.js';
import { parseComparison } from './filter.js';
import { parseGroup } from './logic.js';
import { malformedFilter, malformedParameter } from './malformed.js';
import { readParameterName } from './name.js';
import { parseCount } from './page.js';
import type { Parameter } from './parameters.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';
import { emptyScope, type Scope, type Tokens } from './tokens.js';
import { emptyWindow } from './range.js';
import { parseVector } from './vector.js';

/**
 * Reads the parameters once, from left to right: the structure goes to the builder's shape, the
 * values to its inputs. If no statement of the shape exists, the tokens are enough to make the
 * intent. Throws ServerError 400.
 */
export function tokenize(
  parameters: readonly Parameter[],
  table: Table,
  builder: ShapeBuilder,
  grammar: RestGrammar = ownGrammar,
): Tokens {
  const root = emptyScope();
  const page: Page = {};
  let select: string | undefined;
  for (const { name, value } of parameters) {
    const { path, target } = readParameterName(name, table, grammar);
    if (target.kind === 'ignored') continue;
    builder.structure(name);
    const scope = path.length === 0 ? root : scopeAt(root, path);
    switch (target.kind) {
      case 'column':
        try {
          readFilter(scope, name, target.column, value, builder, grammar);
        } catch (error) {
          const isNamedFirst = grammar.unknownColumns === 'beforeSyntax' && path.length === 0;
          throw isNamedFirst && isUnknown(target.column, table) ? unknownParameter(target.column, table) : error;
        }
        break;
      case 'argument':
        builder.countFilter(name);
        scope.arguments = [...(scope.arguments ?? []), { ...target, input: builder.input(value) }];
        break;
      case 'group':
        scope.conditions.push(parseGroup(target.group, target.negated, name, value, builder, grammar));
        break;
      case 'not':
        throw malformedFilter(
          name,
          '`not` goes before `or`, `and` or an operator.',
          'As in not.or=(…) or id=not.eq.1.',
        );
      case 'select':
        if (select !== undefined && grammar.unreadable === 'ignored') break;
        if (select !== undefined) throw twice(name);
        builder.structure(value);
        select = value;
        break;
      case 'order':
        if (scope.order !== undefined && grammar.unreadable === 'ignored') break;
        if (scope.order !== undefined) throw twice(name);
        builder.structure(value);
        scope.order = value;
        break;
      default:
        if (grammar.counts === 'signed') {
          if (scope === root) page[target.kind] ??= signedCount(value);
          else scope[target.kind] ??= embeddedCount(target.kind, value, builder);
          break;
        }
        if (scope[target.kind] !== undefined) throw twice(name);
        scope[target.kind] = builder.count(parseCount(value, name));
    }
  }
  if (grammar.counts === 'signed') readPage(root, page, builder);
  return { select, root };
}

/** The numbers of `limit` and `offset` of the table in the path. */
interface Page {
  limit?: number | undefined;
  offset?: number | undefined;
}

/** A count that is no whole number is ignored. */
const signedCount = (text: string): number | undefined => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : undefined);

/** A page that begins before the first row ends as many rows earlier. Throws ServerError 416. */
function readPage(root: Scope, { limit, offset }: Page, builder: ShapeBuilder): void {
  const before = Math.min(offset ?? 0, 0);
  const rows = limit === undefined || limit === 0 ? limit : limit + before;
  if (limit !== undefined && limit !== 0 && (rows ?? 0) <= 0) throw emptyWindow();
  if (rows !== undefined) root.limit = builder.count(rows);
  if (offset !== undefined) root.offset = builder.count(Math.max(offset, 0));
}

/** PostgreSQL refuses negative counts of embedded rows. */
function embeddedCount(
  kind: 'limit' | 'offset',
  text: string,
  builder: ShapeBuilder,
): ReturnType<ShapeBuilder['count']> | undefined {
  const count = signedCount(text);
  if (count === undefined) return undefined;
  if (count >= 0) return builder.count(count);
  const code = kind === 'limit' ? '2201W' : '2201X';
  throw new ServerError(400, code, `${kind.toUpperCase()} must not be negative`, { kind: 'invalidValue' });
}

function scopeAt(root: Scope, path: readonly string[]): Scope {
  let scope = root;
  for (const name of path) {
    const next = scope.embedded.get(name) ?? emptyScope();
    scope.embedded.set(name, next);
    scope = next;
  }
  return scope;
}

/** Whether a name is neither a column, nor a computed field, nor a JSON path, nor quoted. */
const isUnknown = (written: string, table: Table): boolean =>
  !table.byRestName.has(written) &&
  computedOf(table, written) === undefined &&
  !table.byRestName.has(written.split('->', 1)[0] ?? '') &&
  !written.startsWith('"');

/** Names of parameters in other APIs, for hints. */
const meantParameters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    limit: ['first', 'top', 'size', 'pagesize', 'page_size', 'per_page', 'perpage', 'take', 'count'],
    offset: ['skip', 'start', 'page'],
    order: ['sort', 'sort_by', 'sortby', 'orderby', 'order_by'],
    select: ['fields', 'columns', 'include'],
  }).flatMap(([parameter, names]) => names.map((name) => [name, parameter] as const)),
);

function unknownParameter(name: string, table: Table): ServerError {
  const error = unknownColumn(name, table);
  const meant = meantParameters.get(name.toLowerCase());
  if (meant === undefined || error.hint !== undefined) return error;
  return new ServerError(error.status, error.code, error.message, { hint: `Did you mean the parameter \`${meant}\`?` });
}

const vectorPrefix = 'vector.';

function readFilter(
  scope: Scope,
  name: string,
  column: string,
  value: string,
  builder: ShapeBuilder,
  grammar: RestGrammar,
): void {
  if (!value.startsWith(vectorPrefix)) {
    scope.conditions.push(parseComparison(name, column, value, builder, grammar));
    return;
  }
  if (scope.vector !== undefined) throw malformedFilter(name, 'there is another vector search already.');
  const { near, distance, limit } = parseVector(value.slice(vectorPrefix.length), name);
  builder.structure(`${vectorPrefix}${distance}${limit === undefined ? '' : '+'}`);
  scope.vector = {
    column,
    near: builder.input(near),
    distance,
    ...(limit === undefined ? {} : { limit: builder.count(limit) }),
  };
}

const twice = (name: string) => malformedParameter(name, 'it is there twice.', 'Give it once.');
