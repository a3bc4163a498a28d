import type { Random } from '../random.js';
import {
  functionsSql,
  randomTables,
  randomValue,
  tablesSql,
  type DatabaseName,
  type OracleColumn,
  type OracleTable,
} from '../schema.js';

/**
 * A database with rows of `me` and hidden ones, and the same database without the hidden rows and
 * columns. Hidden rows have keys and unique values that no request writes: a conflict would reveal
 * them, as docs/row-rules.md says.
 */
export interface RuledTables {
  readonly tables: readonly OracleTable[];
  readonly ruled: string;
  readonly copy: string;
  readonly rules: (schema: string) => object;
  /** Of each table, the rows that `me` may read, as SQL of the test finds them. */
  readonly visible: readonly string[];
  /** Of each table, the other rows. */
  readonly hidden: readonly string[];
}

export const me = 'ada';

const visibleKeys = 8;
/** Requests insert rows with keys up to 25, and ask for keys up to 36. */
const firstHidden = 26;
const hiddenRows = 10;
/** The first hidden rows have another owner, and so have the rows to which they refer. */
const ofOthers = 5;
/** Where the database begins to number rows, in both databases. */
const firstNumber = 1000;

/** Which rows of a table are mine: all with my name, or only those below a row with my name. */
interface Ruled {
  readonly table: OracleTable;
  readonly parent: OracleColumn | undefined;
}

export function randomRuled(random: Random, database: DatabaseName): RuledTables {
  const tables = randomTables(random).map((table): OracleTable => ({ ...table, keys: firstHidden + hiddenRows }));
  const ruled = tables.map((table): Ruled => {
    const parent = table.columns.find(({ target }) => target !== undefined);
    return { table, parent: random.chance(50) ? parent : undefined };
  });
  const [first, last] = [tables[0]?.name ?? '', tables.at(-1)?.name ?? ''];
  const isPostgres = database === 'postgres';
  const names = [...tables.map(({ name }) => name), linking];
  const owner = `owner varchar(20) not null default '${me}'`;
  const link = `create table ${linking} (one_id int not null, two_id int not null, ${owner}, primary key (one_id, two_id),
    constraint link_one foreign key (one_id) references ${first} (id) on delete cascade,
    constraint link_two foreign key (two_id) references ${last} (id) on delete cascade);`;
  const functions = functionsSql(database).filter((each) => !each.startsWith('create function forget'));
  const common = [
    ...tablesSql(tables, database, [owner], ' on delete cascade'),
    link,
    ...ruled.map(({ table, parent }) => rowsOf(random, table, parent)),
    linksOf(random),
    ...tables.map(({ name }) =>
      isPostgres
        ? `alter table ${name} alter column id restart with ${String(firstNumber)};`
        : `alter table ${name} auto_increment = ${String(firstNumber)};`,
    ),
  ];
  const mine = [...ruled.map(visibleWhere), `owner = '${me}'`];
  const loose = isPostgres
    ? ['set session_replication_role = replica;', 'set session_replication_role = origin;']
    : looseMariadb;
  // A condition looks at the row that is referred to: it has to be there yet.
  const removed = names.map((name, at) => `delete from ${name} where not (${mine[at] ?? ''});`).reverse();
  const bare = names.map((name) => `alter table ${name} drop column owner;`);
  return {
    tables,
    ruled: [...common, ...viewsOf(tables, ', owner'), ...functions].join('\n'),
    copy: [...common, loose[0], ...removed, ...bare, loose[1], ...viewsOf(tables, ''), ...functions].join('\n'),
    rules: (schema) => rulesOf(ruled, schema),
    visible: names.map(
      (name, at) =>
        `select ${columnsOf(tables, name)} from shop.${name} where ${mine[at]?.replaceAll(' from ', ' from shop.') ?? ''} order by 1, 2`,
    ),
    hidden: names.map(
      (name, at) =>
        `select * from shop.${name} where not (${mine[at]?.replaceAll(' from ', ' from shop.') ?? ''}) order by 1, 2`,
    ),
  };
}

const looseMariadb = ['set foreign_key_checks = 0;', 'set foreign_key_checks = 1;'];
/** Two tables meet in it. */
export const linking = 'link';

const columnsOf = (tables: readonly OracleTable[], name: string): string =>
  (tables.find((table) => table.name === name)?.columns.map((column) => column.name) ?? ['two_id']).reduce(
    (list, column) => `${list}, ${column}`,
    name === linking ? 'one_id' : 'id',
  );

const visibleWhere = ({ parent }: Ruled): string =>
  parent?.target === undefined
    ? `owner = '${me}'`
    : `owner = '${me}' and (${parent.name} is null or ${parent.name} in (select id from ${parent.target} where owner = '${me}'))`;

function rulesOf(ruled: readonly Ruled[], schema: string): object {
  const own = { owner: { eq: { claim: 'userId' } } };
  const hide = ['owner'];
  const all = ruled.flatMap(({ table: { name }, parent }) => {
    const below = { or: [{ [parent?.name ?? '']: { isNull: true } }, { [parent?.target ?? '']: own }] };
    const read = parent === undefined ? own : { and: [own, below] };
    return [
      [`${schema}.${name}`, { read, hide }],
      [`${schema}.${name}_view`, { read, write: false, hide }],
    ] as const;
  });
  return Object.fromEntries([...all, [`${schema}.${linking}`, { read: own, hide }]]);
}

/** Views without a key. */
const viewsOf = (tables: readonly OracleTable[], owner: string): readonly string[] =>
  tables.map(
    ({ name, columns }) =>
      `create view ${name}_view as select ${columns.map((each) => each.name).join(', ')}${owner} from ${name};`,
  );

function rowsOf(random: Random, table: OracleTable, parent: OracleColumn | undefined): string {
  const row = (id: number, isHidden: boolean): string => {
    // A row of mine below a row of another owner is hidden as well, where the rule says so.
    const isBelow = id >= firstHidden + ofOthers && parent !== undefined && random.chance(50);
    const cells = table.columns.map((column) =>
      sqlOf(cellOf(random, column, { id, isHidden, isBelow }, parent), column),
    );
    return `(${[String(id), ...cells, isHidden && !isBelow ? "'bob'" : `'${me}'`].join(', ')})`;
  };
  const rows = [
    ...random.times(visibleKeys, (at) => row(at + 1, false)),
    ...random.times(hiddenRows, (at) => row(at + firstHidden, true)),
  ];
  const columns = ['id', ...table.columns.map(({ name }) => name), 'owner'];
  return `insert into ${table.name} (${columns.join(', ')}) values ${rows.join(', ')};`;
}

function cellOf(
  random: Random,
  column: OracleColumn,
  { id, isHidden, isBelow }: { readonly id: number; readonly isHidden: boolean; readonly isBelow: boolean },
  parent: OracleColumn | undefined,
): unknown {
  const ofOther = (): number => firstHidden + random.below(ofOthers);
  if (column.target !== undefined) {
    if (isBelow && column === parent) return ofOther();
    if (!column.required && random.chance(15)) return null;
    // What rows of the caller refer to stays when other rows of the caller are deleted.
    if (isHidden) return id < firstHidden + ofOthers ? ofOther() : 1 + random.below(visibleKeys);
    return column === parent || random.chance(80) ? 1 + random.below(visibleKeys) : ofOther();
  }
  if (column.unique) return column.kind === 'int' ? id + 100 : isHidden ? `hidden ${String(id)}` : `text ${String(id)}`;
  if (isHidden && column.kind === 'text') return `hidden ${String(random.below(3))}`;
  return randomValue(random, column);
}

function linksOf(random: Random): string {
  const keys = random.times(visibleKeys, (at) => at + 1).concat(random.times(ofOthers, (at) => firstHidden + at));
  const rows = keys.flatMap((one) =>
    random.some(keys, 30).map((two) => `(${String(one)}, ${String(two)}, ${random.chance(50) ? `'${me}'` : "'bob'"})`),
  );
  return `insert into ${linking} (one_id, two_id, owner) values ${rows.join(', ')};`;
}

function sqlOf(value: unknown, { kind }: OracleColumn): string {
  const json = JSON.stringify(value);
  if (value === null || (kind !== 'json' && typeof value !== 'string')) return json;
  const text = kind !== 'json' && typeof value === 'string' ? value : json;
  // A backslash means something else on each database.
  return `'${text.replaceAll("'", "''").replaceAll('\\', '')}'`;
}
