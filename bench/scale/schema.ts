/**
 * Tables of 12 columns with two foreign keys each, as SQL statements in batches. Names, types,
 * comments and indexes vary as in real schemas; every 10th table has an enum of its own. The first
 * table has many rows; the others have one row, with the same id.
 */
export function scaleSchema(tables: number): readonly string[] {
  const statements = Array.from({ length: tables }, (_, at) => createTable(at));
  const keys = Array.from({ length: tables }, (_, at) => foreignKeys(at));
  return [
    'create schema scale',
    ...batches(statements),
    ...batches(keys),
    rows,
    ...batches(oneRowEach(tables)),
    'analyze',
  ];
}

export const columnsPerTable = 12;

/** The digits in the name of a table, in SQL and in GraphQL. */
export const numberOf = (at: number): string => String(at).padStart(4, '0');

export const tableName = (at: number): string => `table_${numberOf(at)}`;

const nameOf = (at: number): string => `scale.${tableName(at)}`;

function createTable(at: number): string {
  const status = at % 10 === 0 ? `scale.status_${at}` : 'text';
  return [
    ...(at % 10 === 0 ? [`create type ${status} as enum ('draft', 'active', 'closed')`] : []),
    `create table ${nameOf(at)} (
      id bigint generated always as identity primary key,
      parent_id bigint, related_id bigint,
      name text not null, slug varchar(80) unique,
      status ${status}, amount numeric(12,2) not null default 0, quantity integer,
      active boolean not null default true, tags text[], metadata jsonb,
      created_at timestamptz not null default now())`,
    `comment on table ${nameOf(at)} is 'The records of sort ${at}, one row each.'`,
    `create index on ${nameOf(at)} (created_at)`,
  ].join(';');
}

function foreignKeys(at: number): string {
  const [parent, related] = [Math.floor(at / 2), (at * 7 + 3) % Math.max(1, at)];
  return `alter table ${nameOf(at)} add foreign key (parent_id) references ${nameOf(parent)},
    add foreign key (related_id) references ${nameOf(Number.isNaN(related) ? 0 : related)}`;
}

/** The key that requests read, in every table. */
export const KEY = 7;

const oneRowEach = (tables: number): readonly string[] =>
  Array.from(
    { length: tables - 1 },
    (_, at) =>
      `insert into ${nameOf(at + 1)} (id, name, slug) overriding system value values (${KEY}, 'Record ${KEY}', 'record-${KEY}')`,
  );

const rows = `insert into ${nameOf(0)} (name, slug, status, amount, quantity, tags, metadata)
  select 'Record ' || n, 'record-' || n, 'active', n * 1.5, n, array['a', 'b'], jsonb_build_object('n', n)
  from generate_series(1, 1000) n`;

/** Single statements are slow, and all statements in one transaction exceed the lock table. */
function batches(statements: readonly string[], size = 50): string[] {
  return Array.from({ length: Math.ceil(statements.length / size) }, (_, at) =>
    statements.slice(at * size, (at + 1) * size).join(';'),
  );
}
