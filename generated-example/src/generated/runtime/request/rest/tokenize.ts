import type { Table } from '../../registry.js';
import type { Draft } from './draft.js';
import { parseComparison } from './filter.js';
import { parseGroup } from './logic.js';
import { malformedFilter, malformedParameter } from './malformed.js';
import { readParameterName } from './name.js';
import { parseCount } from './page.js';
import type { Parameter } from './parameters.js';
import { emptyScope, type Scope, type Tokens } from './tokens.js';
import { parseVector } from './vector.js';

/**
 * Reads the parameters once, from left to right: the structure goes to the draft's shape, the values to its inputs. What comes out is
 * enough to make the intent, when no statement of that shape is known. Throws ServerError 400.
 */
export function tokenize(parameters: readonly Parameter[], table: Table, draft: Draft): Tokens {
  const root = emptyScope();
  let select: string | undefined;
  for (const { name, value } of parameters) {
    const { path, target } = readParameterName(name, table);
    if (target.kind === 'ignored') continue;
    draft.structure(name);
    const scope = path.length === 0 ? root : scopeAt(root, path);
    switch (target.kind) {
      case 'column':
        readFilter(scope, name, target.column, value, draft);
        break;
      case 'group':
        scope.conditions.push(parseGroup(target.group, target.negated, name, value, draft));
        break;
      case 'not':
        throw malformedFilter(
          name,
          '`not` goes before `or`, `and` or an operator.',
          'As in not.or=(…) or id=not.eq.1.',
        );
      case 'select':
        if (select !== undefined) throw twice(name);
        draft.structure(value);
        select = value;
        break;
      case 'order':
        if (scope.order !== undefined) throw twice(name);
        draft.structure(value);
        scope.order = value;
        break;
      default:
        if (scope[target.kind] !== undefined) throw twice(name);
        scope[target.kind] = draft.count(parseCount(value, name));
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

const vectorPrefix = 'vector.';

function readFilter(scope: Scope, name: string, column: string, value: string, draft: Draft): void {
  if (!value.startsWith(vectorPrefix)) {
    scope.conditions.push(parseComparison(name, column, value, draft));
    return;
  }
  if (scope.vector !== undefined) throw malformedFilter(name, 'there is another vector search already.');
  const { near, distance, limit } = parseVector(value.slice(vectorPrefix.length), name);
  draft.structure(`${vectorPrefix}${distance}${limit === undefined ? '' : '+'}`);
  scope.vector = {
    column,
    near: draft.input(near),
    distance,
    ...(limit === undefined ? {} : { limit: draft.count(limit) }),
  };
}

const twice = (name: string) => malformedParameter(name, 'it is there twice.', 'Give it once.');
