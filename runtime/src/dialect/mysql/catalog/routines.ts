import type { EnumType, Routine, RoutineArgument } from '../../../catalog/catalog.js';
import { commentOf, textOf, type Row } from './row.js';
import { labelsOf, typeReference } from './type-reference.js';

/** @param parameters its rows in order; position 0 is the result of a function */
export function routineOf(row: Row, parameters: readonly Row[]): Routine {
  const [schema, name] = [textOf(row, 'schema'), textOf(row, 'name')];
  const kind = textOf(row, 'kind') === 'FUNCTION' ? 'function' : 'procedure';
  const returned = parameters.find(isReturn);
  const typed = (parameter: Row) =>
    typeReference(parameter, { schema, name: `${name}.${textOf(parameter, 'name')}` }, false);
  const routineArguments = parameters
    .filter((parameter) => !isReturn(parameter))
    .map((parameter): RoutineArgument => ({
      name: textOf(parameter, 'name'),
      mode: modeOf(textOf(parameter, 'mode')),
      type: typed(parameter),
      hasDefault: false,
    }));
  return {
    schema,
    name,
    kind,
    // A procedure and a function may share a name; neither has overloads.
    signature: routineArguments.map(({ mode, type }) => `${mode} ${type.formatted}`).join(', '),
    arguments: routineArguments,
    returns: kind === 'function' && returned !== undefined ? typed(returned) : null,
    returnsSet: false,
    volatility: volatilityOf(row, kind),
    strict: false,
    securityDefiner: textOf(row, 'security') === 'DEFINER',
    executable: true,
    comment: commentOf(row),
  };
}

/** The enums of a routine's arguments: each is a type of that argument alone. */
export const enumsOf = (row: Row, parameters: readonly Row[]): readonly EnumType[] =>
  parameters.flatMap((parameter) => {
    const labels = labelsOf(textOf(parameter, 'column_type'));
    if (labels === undefined) return [];
    const name = `${textOf(row, 'name')}.${textOf(parameter, 'name')}`;
    return [{ schema: textOf(row, 'schema'), name, labels, comment: null }];
  });

const isReturn = (parameter: Row): boolean => textOf(parameter, 'position') === '0';

function modeOf(mode: string): RoutineArgument['mode'] {
  if (mode === 'OUT') return 'out';
  return mode === 'INOUT' ? 'inout' : 'in';
}

/**
 * A function says `MODIFIES SQL DATA` to be called as a write. Every other one is called as a read,
 * in which the database refuses writes: it does not check what a function declares.
 * Source: https://mariadb.com/kb/en/create-function/
 */
function volatilityOf(row: Row, kind: Routine['kind']): Routine['volatility'] {
  const access = textOf(row, 'access');
  if (access === 'MODIFIES SQL DATA' || (access === 'CONTAINS SQL' && kind === 'procedure')) return 'volatile';
  return access === 'NO SQL' && textOf(row, 'deterministic') === 'YES' ? 'immutable' : 'stable';
}
