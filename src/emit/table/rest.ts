import type { TableModel } from '../../model/model.js';
import { descriptorName, routesName, sourceOf } from '../context.js';
import { indent, hardline, type Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { docComment } from '../source/typescript.js';

/** `<table>.rest.ts`: what the table answers over REST, one line into the runtime each. */
export function emitRest(table: TableModel): string {
  const imports = new Imports();
  imports.type('TableRoutes', '../runtime/server/generated.js');
  const descriptor = imports.value(descriptorName(table), `./${table.file}.table.js`);
  const { name, primaryKey, insertable, updatable, deletable } = table.descriptor;
  const path = `/api/v1/${encodeURIComponent(name)}`;
  const byKey = primaryKey?.columns.length === 1;
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
  const comment = byKey ? `${all}; GET ${path}/{${primaryKey.columns[0] ?? 'id'}}` : all;
  return printFile(sourceOf(table), imports, [
    [
      docComment(comment),
      `export const ${routesName(table)}: TableRoutes = {`,
      indent(lines.map((each) => [hardline, each])),
      hardline,
      '};',
    ],
  ]);
}
