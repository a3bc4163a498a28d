import { z } from 'zod';
import type { Catalog } from './catalog.js';
import { everyPrivilege } from './portable.js';

/*
 * The shape of `catalog.json`: a Catalog without members that are null, false or empty, and without
 * the members that `portable` normalises. The annotation of `catalogShape` has the compiler compare
 * it with the interface. Members are written in the order that they have here. The readers of both
 * databases give them in the same order, because the fingerprint depends on it.
 */

const flag = z.boolean().default(false);
const text = z.string().nullable().default(null);
const list = <Item extends z.ZodType>(item: Item) => z.array(item).default([]);
const names = list(z.string());
const qualified = { schema: z.string(), name: z.string() };

const typeRef = z.object({
  ...qualified,
  array: flag,
  kind: z.enum(['base', 'enum', 'domain', 'composite', 'range', 'multirange', 'pseudo']),
  modifier: z.number().nullable().default(null),
  formatted: z.string(),
  operators: z.string().optional(),
  collation: z.string().optional(),
  searchable: z.literal(true).optional(),
});

const column = z.object({
  name: z.string(),
  type: typeRef,
  nullable: flag,
  default: text,
  identity: z.enum(['always', 'byDefault']).nullable().default(null),
  generated: z.enum(['stored', 'virtual']).nullable().default(null),
  updatable: flag,
  comment: text,
});

const key = z.object({ name: z.string(), columns: names });
const primaryKey = key.extend({ deferrable: z.literal(true).optional(), temporal: z.literal(true).optional() });
const uniqueKey = key.extend({ nullsNotDistinct: flag, deferrable: flag });
const action = z.enum(['noAction', 'restrict', 'cascade', 'setNull', 'setDefault']);
const foreignKey = key.extend({
  references: z.object({ ...qualified, columns: names }),
  equality: z.array(z.object({ ...qualified, as: z.object(qualified).optional() }).nullable()).optional(),
  onUpdate: action,
  onDelete: action,
  deferrable: flag,
});
const definition = z.object({ name: z.string(), definition: z.string() });

const constraintComment = z.object({ constraint: z.string(), comment: z.string() });

const index = z.object({
  name: z.string(),
  method: z.string(),
  unique: flag,
  keys: list(z.object({ column: text, expression: text })),
  include: names,
  predicate: text,
  comparesOtherwise: z.literal(true).optional(),
});

const policy = z.object({
  name: z.string(),
  command: z.enum(['all', 'select', 'insert', 'update', 'delete']),
  permissive: flag,
  roles: names,
  using: text,
  check: text,
});

const writeEvent = z.enum(['insert', 'update', 'delete']);

const mediaHandler = z.object({
  ...qualified,
  media: z.string(),
  takesAny: z.literal(true).optional(),
  isBinary: z.literal(true).optional(),
});

const table = z.object({
  ...qualified,
  kind: z.enum(['table', 'partitionedTable', 'foreignTable', 'view', 'materializedView']),
  comment: text,
  columns: list(column),
  primaryKey: primaryKey.nullable().default(null),
  uniques: list(uniqueKey),
  foreignKeys: list(foreignKey),
  checks: list(definition),
  exclusions: list(definition),
  constraintComments: list(constraintComment),
  indexes: list(index),
  rowSecurity: z.object({ enabled: flag, forced: flag, policies: list(policy) }),
  view: z.object({ securityInvoker: flag, securityBarrier: flag }).nullable().default(null),
  insertable: flag,
  updatable: flag,
  deletable: flag,
  privileges: z
    .object({ select: z.boolean(), insert: z.boolean(), update: z.boolean(), delete: z.boolean() })
    .default(everyPrivilege),
  rules: z.array(z.object({ event: writeEvent, instead: flag })).optional(),
  afterTriggers: z.array(writeEvent).optional(),
  deferrableKeys: z.literal(true).optional(),
  routingColumns: z.array(z.string()).optional(),
  inherited: z.literal(true).optional(),
  transactional: z.literal(false).optional(),
  mediaHandlers: z.array(mediaHandler).optional(),
  sources: z.array(z.object({ ...qualified, columns: names, from: names, single: flag })).optional(),
});

const baseTable = table.pick({
  ...{ schema: true, name: true, kind: true, primaryKey: true },
  ...{ uniques: true, foreignKeys: true, inherited: true, sources: true },
});

const functionName = z.object(qualified).optional();

const domain = z.object({
  ...qualified,
  base: typeRef,
  notNull: flag,
  default: text,
  checks: list(definition),
  constraintComments: list(constraintComment),
  comment: text,
  representation: z.object({ fromJson: functionName, fromText: functionName, toJson: functionName }).optional(),
});

const composite = z.object({
  ...qualified,
  attributes: list(z.object({ name: z.string(), type: typeRef, comment: text })),
  comment: text,
});

const routine = z.object({
  ...qualified,
  kind: z.enum(['function', 'procedure']),
  signature: z.string(),
  arguments: list(
    z.object({
      name: z.string(),
      mode: z.enum(['in', 'out', 'inout', 'variadic', 'table']),
      type: typeRef,
      hasDefault: flag,
    }),
  ),
  returns: typeRef.nullable().default(null),
  returnsSet: flag,
  volatility: z.enum(['immutable', 'stable', 'volatile']),
  strict: flag,
  securityDefiner: flag,
  executable: z.boolean().default(true),
  comment: text,
  returnsOne: z.literal(true).optional(),
});

export const catalogShape: z.ZodType<Catalog> = z.object({
  dialect: z.enum(['postgres', 'mysql']),
  schemas: list(z.object({ name: z.string(), comment: text })),
  tables: list(table),
  baseTables: z.array(baseTable).optional(),
  enums: list(z.object({ ...qualified, labels: names, comment: text })),
  domains: list(domain),
  composites: list(composite),
  ranges: list(z.object({ ...qualified, subtype: typeRef, multirange: z.object(qualified).nullable().default(null) })),
  routines: list(routine),
  extensions: list(z.object({ name: z.string(), schema: z.string(), version: z.string().default('') })),
  mediaHandlers: z.array(mediaHandler).optional(),
});
