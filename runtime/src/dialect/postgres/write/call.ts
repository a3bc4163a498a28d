import { sql } from 'kysely';
import type { RawRow, Slot, Statement } from '../../../plan/statement.js';
import type { Types } from '../parameters/encode.js';
import { answerIn } from '../../../plan/intent.js';
import { argumentList } from '../read/call.js';
import type { CallPlan, TypedColumn } from '../../../plan/write/write-plan.js';
import { objectOf } from '../read/object.js';
import type { Entry } from '../read/scope.js';
import { project } from '../read/projection.js';
import { compileFragment, constant, join, table, typeName, type Fragment } from '../sql.js';

/**
 * CALL returns its OUT parameters as a row; a function is selected from, and its statement returns
 * JSON.
 */
export function compileCall(plan: CallPlan, types: Types): Statement {
  const { procedure } = plan;
  const call = sql`${table(procedure)}(${argumentList(plan.arguments, types)})`;
  if (procedure.kind === 'procedure') return compileFragment(sql`call ${call}`, types);
  return compileFragment(functionAnswer(plan, call, types), types);
}

const outputsOf = ({ procedure, outputNames }: CallPlan): readonly TypedColumn[] =>
  procedure.arguments.flatMap(({ name, field, mode, type }, at) => {
    if (mode !== 'out' && mode !== 'inout') return [];
    const called = outputNames === 'field' ? (field ?? name) : name;
    return [{ name: called === '' ? (field ?? `arg${String(at + 1)}`) : called, type }];
  });

/**
 * The JSON of a CALL's result, by the same projections as other values. Undefined if there is no
 * result.
 */
export function compileCallAnswer(plan: CallPlan, types: Types): Statement | undefined {
  const { procedure, style } = plan;
  const outputs = outputsOf(plan);
  if (procedure.kind === 'function' || outputs.length === 0) return undefined;
  const members = outputs.map(({ name, type }, at): Entry => {
    const slot: Slot = { bind: (inputs) => (answerIn(inputs) as RawRow)[at] ?? null };
    return { as: name, value: project(type, sql`${slot}::${typeName(type.sql)}`, style, types) };
  });
  return compileFragment(sql`select ${objectOf(members)}`, types);
}

/** OUT parameters as an object, or a list of those; anything else as `{"result": …}`. */
function functionAnswer(plan: CallPlan, call: Fragment, types: Types): Fragment {
  const { procedure, style } = plan;
  const outputs = outputsOf(plan);
  if (outputs.length > 0) {
    const names = join(outputs.map(({ name }) => sql.id(name)));
    const members = outputs.map(({ name, type }): Entry => ({
      as: name,
      value: project(type, sql`f.${sql.id(name)}`, style, types),
    }));
    const object = objectOf(members);
    const answer = procedure.returnsSet === true ? sql`coalesce(json_agg(${object}), '[]')` : object;
    return sql`select ${answer} from ${call} as f(${names})`;
  }
  const { returns } = procedure;
  if (returns === undefined || returns.sql.name === 'void') {
    return sql`select json_build_object('result', 'OK') from (select ${call}) as f`;
  }
  const value = project(returns, sql`f.v`, style, types);
  const answer = procedure.returnsSet === true ? sql`coalesce(json_agg(${value}), '[]')` : value;
  return sql`select json_build_object(${constant('result')}, ${answer}) from (select ${call} as v) as f`;
}
