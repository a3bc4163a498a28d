import { MysqlAdapter } from 'kysely-codegen/dist/generator/dialects/mysql/mysql-adapter.js';
import { mysqlVocabulary } from '@tablewright/runtime/model';
import { call, string } from '../source/typescript.js';
import type { EmitDialect } from './dialect.js';
import { literal } from './literal.js';

/** MariaDB. */
export const mysql: EmitDialect = {
  namespace: 'mysql.',
  vocabulary: mysqlVocabulary,
  expression: ({ searchable, ...type }, { word, expression }) => {
    const { kind, sql, element } = type;
    if (searchable === true) return call(word('searchable'), [expression(type)]);
    if (kind === 'enum') return call(word('enumOf'), [string(type.enum ?? '')]);
    if (kind === 'array') return call(word('setOf'), [string(element?.enum ?? '')]);
    if (kind === 'composite') return call(word('compositeOf'), [string(type.composite ?? ''), string(sql.name)]);
    return kind === 'other' ? call(word('other'), [string(sql.name)]) : literal(type);
  },
  adapter: () => new MysqlAdapter(),
  // `int unsigned`, `tinyint(1)`
  adapterName: ({ sql }) => sql.name.split(/[ (]/)[0] ?? '',
  hasArrays: false,
};
