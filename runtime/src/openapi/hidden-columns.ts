import { ruleFor, type RowRule } from '../descriptor/row-rules.js';
import type { Model, TableModel } from '../model/model.js';
import { withAttributes } from '../model/user-types.js';

/**
 * The model as clients see it: without columns that rules hide from every role, also in rows that
 * functions take, and with a mark at columns that they hide from some.
 */
export function withoutHidden(model: Model): Model {
  const { rules } = model.options;
  if (rules === undefined) return model;
  return {
    ...model,
    tables: model.tables.map((table) => {
      const { schema, name } = table.descriptor;
      const rule = rules[`${schema}.${name}`];
      return rule === undefined ? table : withoutHiddenOf(table, rule);
    }),
    composites: model.composites.map((each) => {
      const { schema, name, attributes } = each.descriptor;
      const rule = rules[`${schema}.${name}`];
      if (rule === undefined) return each;
      const isGone = goneFrom(rule);
      return withAttributes(
        each,
        attributes.filter((attribute) => !isGone(attribute.name)),
      );
    }),
  };
}

/** What each role does not see. */
const hiddenBy = (rule: RowRule): readonly ReadonlySet<string>[] =>
  [undefined, ...Object.keys(rule.roles ?? {})].map((role) => new Set(ruleFor(rule, role).hide));

/** Whether no role sees a column. */
function goneFrom(rule: RowRule): (name: string) => boolean {
  const hidden = hiddenBy(rule);
  return (name) => hidden.every((each) => each.has(name));
}

function withoutHiddenOf(table: TableModel, rule: RowRule): TableModel {
  const hidden = hiddenBy(rule);
  const isGone = goneFrom(rule);
  const { descriptor, columns } = table;
  return {
    ...table,
    descriptor: { ...descriptor, columns: descriptor.columns.filter(({ name }) => !isGone(name)) },
    columns: columns
      .filter((column) => !isGone(column.descriptor.name))
      .map((column) =>
        hidden.some((each) => each.has(column.descriptor.name)) ? { ...column, mayBeHidden: true } : column,
      ),
  };
}
