import { ruleFor, type RowRule } from '../descriptor/row-rules.js';
import type { Model, TableModel } from '../model/model.js';

/**
 * The model as clients see it: without columns that rules hide from every role, and with a mark at
 * columns that they hide from some.
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
  };
}

function withoutHiddenOf(table: TableModel, rule: RowRule): TableModel {
  const roles = [undefined, ...Object.keys(rule.roles ?? {})];
  const hidden = roles.map((role) => new Set(ruleFor(rule, role).hide));
  const isGone = (name: string): boolean => hidden.every((each) => each.has(name));
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
