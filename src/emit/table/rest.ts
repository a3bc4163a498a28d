import { rowKeyOf, type TableModel } from '@tablewright/runtime/model';
import { descriptorName, routesName, type EmitContext } from '../context.js';
import { indent, hardline, type Doc } from '../source/doc.js';
import type { Imports } from '../source/file.js';
import { docComment } from '../source/typescript.js';

/** The REST routes of the table, each of which is one call of the runtime. */
export function routesDoc(context: EmitContext, table: TableModel, imports: Imports): Doc {
  const descriptor = descriptorName(table);
  const type = imports.runtime('TableRoutes');
  const { name, primaryKey, insertable, updatable, deletable } = table.descriptor;
  const path = `/api/v1/${encodeURIComponent(name)}`;
  const [key, ...more] = rowKeyOf(table.descriptor) ?? [];
  const byKey = key !== undefined && more.length === 0;
  const lines: readonly Doc[] = [
    `table: ${descriptor},`,
    `list: (exchange) => exchange.list(${descriptor}),`,
    ...(byKey ? [`row: (exchange) => exchange.row(${descriptor}),`] : []),
    ...(insertable ? [`insert: (exchange) => exchange.insert(${descriptor}),`] : []),
    ...(updatable ? [`update: (exchange) => exchange.update(${descriptor}),`] : []),
    ...(updatable && primaryKey !== undefined ? [`replace: (exchange) => exchange.replace(${descriptor}),`] : []),
    ...(deletable ? [`remove: (exchange) => exchange.remove(${descriptor}),`] : []),
  ];
  const writes = [
    ...(insertable ? ['POST'] : []),
    ...(updatable ? ['PATCH'] : []),
    ...(updatable && primaryKey !== undefined ? ['PUT'] : []),
    ...(deletable ? ['DELETE'] : []),
  ];
  const all = [['GET', ...writes].join(', '), path].join(' ');
  const comment = byKey ? `${all}; GET ${path}/{${key}}` : all;
  return [
    docComment(comment),
    `export const ${routesName(context, table)}: ${type} = {`,
    indent(lines.map((each) => [hardline, each])),
    hardline,
    '};',
  ];
}
