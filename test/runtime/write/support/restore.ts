/** Runs SQL, one statement or many, as the superuser. */
type Run = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Copies the rows and sequences of every table of the schemas into another schema, and returns a
 * function that restores them. With it, a suite whose tests change tables needs one database
 * instead of one for each test.
 */
export async function keepRows(run: Run, schemas: readonly string[]): Promise<() => Promise<void>> {
  const names = schemas.map((name) => `'${name}'`).join(', ');
  const tables = await run(
    `select c.oid::regclass::text as name, format('kept.%I', c.oid) as copy,
       -- Rows of tables that inherit from it are copied with those.
       case c.relkind when 'r' then 'only ' else '' end || c.oid::regclass as rows,
       (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in (${names}) and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const sequences = await run(
    `select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as value,
       last_value is not null as called
     from pg_sequences where schemaname in (${names})`,
  );
  const all = tables.map(({ name }) => String(name)).join(', ');
  const copies = tables.map(
    ({ rows, copy, columns }) => `create table ${String(copy)} as select ${String(columns)} from ${String(rows)}`,
  );
  await run(['create schema kept', ...copies].join(';\n'));
  const restored = [
    `truncate ${all}`,
    ...tables.map(
      ({ name, copy, columns }) =>
        `insert into ${String(name)} (${String(columns)}) overriding system value select * from ${String(copy)}`,
    ),
    ...sequences.map(
      ({ name, value, called }) => `select setval('${String(name)}', ${String(value)}, ${String(called)})`,
    ),
  ].join(';\n');
  // With the role `replica` no trigger runs and no foreign key is checked during the restore.
  return async () => {
    await run(`set session_replication_role = replica;\n${restored};\nreset session_replication_role`);
  };
}
