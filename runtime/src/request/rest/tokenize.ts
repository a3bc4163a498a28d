import { ServerError } from '../../errors.js';
import { unknownColumn } from '../../plan/refuse.js';
import type { Table } from '../../descriptor/registry.js';
import type { ShapeBuilder } from './shape-builder.js';
import { computedOf } from './computed.js';
import { parseComparison } from './filter.js';
import { parseGroup } from './logic.js';
import { malformedFilter, malformedParameter } from './malformed.js';
import { readParameterName } from './name.js';
import { parseCount } from './page.js';
import type { Parameter } from './parameters.js';
import { emptyScope, type Scope, type Tokens } from './tokens.js';
import { parseVector } from './vector.js';

/**
 * Reads the parameters once, from left to right: the structure goes to the builder's shape, the
 * values to its inputs. If no statement of the shape exists, the tokens are enough to make the
 * intent. Throws ServerError 400.
 */
export function tokenize(parameters: readonly Parameter[], table: Table, builder: ShapeBuilder): Tokens {
  const root = emptyScope();
  let select: string | undefined;
  for (const { name, value } of parameters) {
    const { path, target } = readParameterName(name, table);
    if (target.kind === 'ignored') continue;
    builder.structure(name);
    const scope = path.length === 0 ? root : scopeAt(root, path);
    switch (target.kind) {
      case 'column':
        try {
          readFilter(scope, name, target.column, value, builder);
        } catch (error) {
          throw path.length === 0 && isUnknown(target.column, table) ? unknownParameter(target.column, table) : error;
        }
        break;
      case 'argument':
        builder.countFilter(name);
        scope.arguments = [...(scope.arguments ?? []), { ...target, input: builder.input(value) }];
        break;
      case 'group':
        scope.conditions.push(parseGroup(target.group, target.negated, name, value, builder));
        break;
      case 'not':
        throw malformedFilter(
          name,
          '`not` goes before `or`, `and` or an operator.',
          'As in not.or=(…) or id=not.eq.1.',
        );
      case 'select':
        if (select !== undefined) throw twice(name);
        builder.structure(value);
        select = value;
        break;
      case 'order':
        if (scope.order !== undefined) throw twice(name);
        builder.structure(value);
        scope.order = value;
        break;
      default:
        if (scope[target.kind] !== undefined) throw twice(name);
        scope[target.kind] = builder.count(parseCount(value, name));
    }
  }
  return { select, root };
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

function readFilter(scope: Scope, name: string, column: string, value: string, builder: ShapeBuilder): void {
  if (!value.startsWith(vectorPrefix)) {
    scope.conditions.push(parseComparison(name, column, value, builder));
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
