import pg from 'pg';

/**
 * For each column of MariaDB, an expression of PostgreSQL whose text is the value; null stays null.
 */
type Columns = Readonly<Record<string, string>>;

const same = (...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, `"${name}"::text`]));

const moments = (...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, `to_char("${name}" at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`]));

/** Arrays and composites are JSON. */
const json = (...names: readonly string[]): Columns =>
  Object.fromEntries(names.map((name) => [name, `to_json("${name}")::text`]));

/**
 * MariaDB refuses a UUID without a standard variant and version. PostgreSQL's UUIDs here are MD5
 * digests, so they get variant and version 4.
 */
const uuids = (...names: readonly string[]): Columns =>
  Object.fromEntries(
    names.map((name) => [name, `overlay(overlay("${name}"::text placing '4' from 15) placing '8' from 20)`]),
  );

/** The demo's tables in MariaDB, and the PostgreSQL expressions of their columns. */
const tables: readonly { readonly from: string; readonly columns: Columns }[] = [
  {
    from: 'kanban.users',
    columns: {
      ...same('id', 'handle', 'name', 'time_zone'),
      ...uuids('public_id'),
      active: 'active::int::text',
      ...moments('created_at'),
    },
  },
  {
    from: 'kanban.projects',
    columns: {
      ...same('id', 'key', 'name', 'description', 'visibility', 'owner_id', 'settings'),
      ...moments('created_at', 'archived_at'),
    },
  },
  { from: 'kanban.project_members', columns: same('project_id', 'user_id', 'role', 'joined_on') },
  {
    from: 'kanban.issues',
    columns: {
      ...same('id', 'project_id', 'number', 'title', 'description', 'status', 'priority', 'metadata', 'story_points'),
      ...same('reporter_id', 'assignee_id', 'parent_id', 'due_on'),
      ...json('labels'),
      ...moments('created_at', 'updated_at'),
    },
  },
  {
    from: 'kanban.comments',
    columns: { ...same('id', 'issue_id', 'author_id', 'body'), ...moments('created_at', 'edited_at') },
  },
  { from: 'kanban.labels', columns: same('id', 'name', 'color') },
  { from: 'kanban.issue_labels', columns: same('issue_id', 'label_id') },
  {
    from: 'kanban.notifications',
    columns: { ...same('id', 'user_id', 'issue_id', 'message'), ...moments('read_at', 'created_at') },
  },
  {
    from: 'shop.customers',
    columns: {
      ...same('id', 'user_id', 'name', 'email', 'credit_limit'),
      ...json('billing_address'),
      ...moments('created_at'),
    },
  },
  {
    from: 'shop.products',
    columns: {
      ...same('id', 'sku', 'name', 'description', 'price', 'stock', 'attributes', 'weight_kg'),
      ...json('tags'),
      available_from: 'lower(available)::text',
      available_until: 'upper(available)::text',
    },
  },
  {
    from: 'shop.orders',
    columns: {
      ...same('id', 'customer_id', 'status'),
      ...uuids('reference'),
      ...json('shipping_address'),
      ...moments('placed_at'),
      delivery_minutes: '(extract(epoch from delivery_time) / 60)::int::text',
    },
  },
  { from: 'shop.order_items', columns: same('order_id', 'product_id', 'quantity', 'unit_price') },
];

/**
 * The text of demo/mysql/seed.sql: the rows of the demo database, read from PostgreSQL.
 * @param url of a database with demo/schema.sql and demo/seed.sql in it
 */
export async function mysqlSeed(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const inserts: string[] = [];
    for (const { from, columns } of tables) {
      const names = Object.keys(columns);
      const { rows } = await client.query<(string | null)[]>({
        // The key comes first: the column `id`, or two columns.
        text: `select ${Object.values(columns).join(', ')} from ${from} order by ${names.includes('id') ? 'id' : `"${names.slice(0, 2).join('", "')}"`}`,
        rowMode: 'array',
      });
      const target = from.slice(from.indexOf('.') + 1);
      const head = `insert into ${target} (${names.map((name) => `\`${name}\``).join(', ')}) values`;
      inserts.push(`${head}\n${rows.map((row) => `  (${row.map(literal).join(', ')})`).join(',\n')};`);
    }
    return [
      '-- The rows of ../seed.sql, for MariaDB. Made from PostgreSQL: UPDATE_SEED=1 npm test -- test/e2e/mysql/demo',
      "set names utf8mb4, time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES';",
      '-- An issue may come before the one that it belongs to.',
      'set foreign_key_checks = 0;',
      'begin;',
      ...inserts,
      'commit;',
      'set foreign_key_checks = 1;',
      '',
    ].join('\n\n');
  } finally {
    await client.end();
  }
}

const literal = (text: string | null): string => {
  if (text === null) return 'null';
  return /^(0|-?[1-9]\d{0,8})$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
};
