import {
  fingerprint,
  parseCatalog,
  serializeCatalog,
  type Catalog,
  type Index,
} from '../../../runtime/src/generator.js';
import { isWrittenAs } from '../../../runtime/src/catalog/fingerprint.js';
import { catalog, column, integer, table } from './sample.js';

const thing = (facts: Parameters<typeof table>[1]): Catalog => catalog({ tables: [table('thing', facts)] });
const routine = {
  schema: 'app',
  name: 'do',
  kind: 'procedure',
  signature: '',
  arguments: [],
  returns: null,
  returnsSet: false,
  volatility: 'volatile',
  strict: false,
  securityDefiner: false,
  executable: true,
  comment: null,
} as const;
const domain = {
  schema: 'app',
  name: 'd',
  base: integer,
  notNull: false,
  default: null,
  checks: [],
  constraintComments: [],
  comment: null,
};
const index: Index = {
  name: 'i',
  method: 'btree',
  unique: true,
  keys: [{ column: 'id', expression: null }],
  include: [],
  predicate: null,
};
const foreignKey = {
  name: 'f',
  columns: ['id'],
  references: { schema: 'app', name: 'thing', columns: ['id'] },
  onUpdate: 'noAction',
  onDelete: 'noAction',
  deferrable: false,
} as const;

describe('fingerprint', () => {
  it('is a SHA-256 that stays', () => {
    expect(fingerprint(catalog())).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint(catalog())).toBe(fingerprint(structuredClone(catalog())));
    expect(fingerprint(parseCatalog(serializeCatalog(catalog())))).toBe(fingerprint(catalog()));
  });

  it.each<[string, Catalog, Catalog]>([
    ['privileges', thing({}), thing({ privileges: { select: true, insert: false, update: false, delete: false } })],
    ['who may execute', catalog({ routines: [routine] }), catalog({ routines: [{ ...routine, executable: false }] })],
    [
      'how a routine runs',
      catalog({ routines: [routine] }),
      catalog({ routines: [{ ...routine, strict: true, securityDefiner: true }] }),
    ],
    [
      'extension versions',
      catalog(),
      catalog({ extensions: [{ name: 'plpgsql', schema: 'pg_catalog', version: '9' }] }),
    ],
    ['row level security', thing({}), thing({ rowSecurity: { enabled: true, forced: true, policies: [] } })],
    ['checks', thing({}), thing({ checks: [{ name: 'c', definition: 'CHECK (true)' }] })],
    ['exclusions', thing({}), thing({ exclusions: [{ name: 'c', definition: 'EXCLUDE (id WITH =)' }] })],
    ['indexes', thing({}), thing({ indexes: [{ ...index, unique: false }] })],
    ['partial unique indexes', thing({}), thing({ indexes: [{ ...index, predicate: 'id > 0' }] })],
    [
      'unique indexes on expressions',
      thing({}),
      thing({ indexes: [{ ...index, keys: [{ column: null, expression: 'lower(x)' }] }] }),
    ],
    [
      'names of indexes that are no keys, and what a key includes',
      thing({ indexes: [index, { ...index, name: 'one', unique: false }] }),
      thing({
        indexes: [
          { ...index, include: ['x'] },
          { ...index, name: 'other', unique: false },
        ],
      }),
    ],
    [
      'what a default computes',
      thing({ columns: [column('id', { default: '1' })] }),
      thing({ columns: [column('id', { default: '2' })] }),
    ],
    [
      'referential actions',
      thing({ foreignKeys: [foreignKey] }),
      thing({ foreignKeys: [{ ...foreignKey, onDelete: 'cascade', deferrable: true }] }),
    ],
    ['options of a view', thing({}), thing({ view: { securityInvoker: true, securityBarrier: true } })],
    [
      'checks of a domain',
      catalog({ domains: [domain] }),
      catalog({ domains: [{ ...domain, checks: [{ name: 'c', definition: 'CHECK (VALUE > 0)' }] }] }),
    ],
  ])('does not count %s', (_, one, other) => {
    expect(fingerprint(other)).toBe(fingerprint(one));
    expect(isWrittenAs(one, serializeCatalog(other))).toBe(true);
  });

  it.each<[string, Catalog, Catalog]>([
    ['a schema', catalog(), catalog({ schemas: [] })],
    ['a comment', thing({}), thing({ comment: 'new' })],
    ['columns that route rows to other servers', thing({}), thing({ routingColumns: ['id'] })],
    ['a table’s kind', thing({}), thing({ kind: 'view' })],
    ['a column', thing({}), thing({ columns: [column('id'), column('b')] })],
    [
      'the order of columns',
      thing({ columns: [column('a'), column('b')] }),
      thing({ columns: [column('b'), column('a')] }),
    ],
    [
      'a type',
      thing({}),
      thing({ columns: [column('id', { type: { ...integer, name: 'int8', formatted: 'bigint' } })] }),
    ],
    ['nullability', thing({}), thing({ columns: [column('id', { nullable: true })] })],
    ['whether there is a default', thing({}), thing({ columns: [column('id', { default: '1' })] })],
    ['an identity', thing({}), thing({ columns: [column('id', { identity: 'always' })] })],
    ['a generated column', thing({}), thing({ columns: [column('id', { generated: 'stored' })] })],
    ['whether a column can be written', thing({}), thing({ columns: [column('id', { updatable: false })] })],
    ['the primary key', thing({}), thing({ primaryKey: null })],
    [
      'a unique constraint',
      thing({}),
      thing({ uniques: [{ name: 'u', columns: ['id'], nullsNotDistinct: false, deferrable: false }] }),
    ],
    ['a unique index', thing({}), thing({ indexes: [index] })],
    ['the name of a unique index', thing({ indexes: [index] }), thing({ indexes: [{ ...index, name: 'other' }] })],
    [
      'how a unique index compares',
      thing({ indexes: [index] }),
      thing({ indexes: [{ ...index, comparesOtherwise: true }] }),
    ],
    [
      'whether the primary key is deferrable',
      thing({}),
      thing({ primaryKey: { name: 'thing_pkey', columns: ['id'], deferrable: true } }),
    ],
    ['deferrable keys that writes meet', thing({}), thing({ deferrableKeys: true })],
    ['a foreign key', thing({}), thing({ foreignKeys: [foreignKey] })],
    ['whether rows can be written', thing({}), thing({ insertable: false })],
    [
      'an enum’s order',
      catalog({ enums: [{ schema: 'app', name: 'e', labels: ['a', 'b'], comment: null }] }),
      catalog({ enums: [{ schema: 'app', name: 'e', labels: ['b', 'a'], comment: null }] }),
    ],
    [
      'whether a domain has a default',
      catalog({ domains: [domain] }),
      catalog({ domains: [{ ...domain, default: '1' }] }),
    ],
    ['a composite', catalog(), catalog({ composites: [{ schema: 'app', name: 'c', attributes: [], comment: null }] })],
    ['a range', catalog(), catalog({ ranges: [{ schema: 'app', name: 'r', subtype: integer, multirange: null }] })],
    ['a routine', catalog(), catalog({ routines: [routine] })],
    [
      'whether a function may write',
      catalog({ routines: [routine] }),
      catalog({ routines: [{ ...routine, volatility: 'stable' }] }),
    ],
    ['an extension', catalog(), catalog({ extensions: [] })],
  ])('counts %s', (_, one, other) => {
    expect(fingerprint(other)).not.toBe(fingerprint(one));
    expect(isWrittenAs(one, serializeCatalog(other))).toBe(false);
  });
});
