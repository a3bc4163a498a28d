import type { Catalog, Column, Table, TypeRef } from '../../../runtime/src/generator.js';

export const integer: TypeRef = {
  schema: 'pg_catalog',
  name: 'int4',
  array: false,
  kind: 'base',
  modifier: null,
  formatted: 'integer',
};

export const column = (name: string, facts: Partial<Column> = {}): Column => ({
  name,
  type: integer,
  nullable: false,
  default: null,
  identity: null,
  generated: null,
  updatable: true,
  comment: null,
  ...facts,
});

export const table = (name: string, facts: Partial<Table> = {}): Table => ({
  schema: 'app',
  name,
  kind: 'table',
  comment: null,
  columns: [column('id')],
  primaryKey: { name: `${name}_pkey`, columns: ['id'] },
  uniques: [],
  foreignKeys: [],
  checks: [],
  exclusions: [],
  constraintComments: [],
  indexes: [],
  rowSecurity: { enabled: false, forced: false, policies: [] },
  view: null,
  insertable: true,
  updatable: true,
  deletable: true,
  privileges: { select: true, insert: true, update: true, delete: true },
  ...facts,
});

export const catalog = (facts: Partial<Catalog> = {}): Catalog => ({
  dialect: 'postgres',
  schemas: [{ name: 'app', comment: null }],
  tables: [table('thing')],
  enums: [],
  domains: [],
  composites: [],
  ranges: [],
  routines: [],
  extensions: [{ name: 'plpgsql', schema: 'pg_catalog', version: '1.0' }],
  ...facts,
});
