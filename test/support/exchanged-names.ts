/** A migration that gives names another meaning, and the one that takes it back. */
export interface ExchangedNames {
  readonly what: string;
  readonly change: string;
  readonly undo: string;
  /** The databases that cannot tell it from a harmless change. */
  readonly unknownTo?: readonly string[];
}

/**
 * A hidden and an excluded column, a table with a rule, and an excluded one, each beside something
 * that everybody may read. What is protected has the text SECRET.
 */
export const exchangeSchema = `
  create table staff (
    id int primary key, name varchar(20), iban varchar(20), bonus varchar(20), token varchar(30), room varchar(20),
    desk varchar(30)
  );
  create table logs (id int primary key, owner varchar(20), body varchar(20), author varchar(20));
  create table papers (id int primary key, owner varchar(20), body varchar(20), author varchar(20));
  create table vault (id int primary key, code varchar(20));
  create table board (id int primary key, line varchar(40));
  insert into staff values (1, 'Ada', 'SECRET', 'b', 'SECRET', 'r', 'd');
  insert into logs values (1, 'bob', 'SECRET', 'ada'), (2, 'ada', 'mine', 'bob');
  insert into papers values (1, 'ada', 'open', 'ada');
  insert into vault values (1, 'SECRET');
  insert into board values (1, 'open');`;

/** The tables and columns that a request can name, before or after a change. */
export const exchangeTables = [
  ...['staff', 'logs', 'papers', 'vault', 'board', 'logs_old', 'vault_old', 'board_old', 'staff_base'],
];
export const exchangeColumns = [
  ...['name', 'iban', 'bonus', 'token', 'room', 'desk', 'iban_old', 'token_old', 'pay', 'a', 'b'],
];

export const exchangeConfig = (schema: string) => ({
  names: { schemaPrefix: 'never' },
  exclude: [`${schema}.staff.token`, `${schema}.vault`],
  rules: { [`${schema}.staff`]: { hide: ['iban'] }, [`${schema}.logs`]: { read: { owner: { eq: 'ada' } } } },
});

type Renames = readonly (readonly [from: string, to: string])[];

const columns = (table: string, ...renames: Renames): string =>
  renames.map(([from, to]) => `alter table ${table} rename column ${from} to ${to};`).join(' ');

const tables = (...renames: Renames): string =>
  renames.map(([from, to]) => `alter table ${from} rename to ${to};`).join(' ');

const swap = (one: string, other: string): Renames => [
  [one, 'x'],
  [other, one],
  ['x', other],
];

export const exchangedNames: readonly ExchangedNames[] = [
  {
    what: 'a hidden column is renamed, and a new one has its name',
    change: `${columns('staff', ['iban', 'iban_old'])} alter table staff add column iban varchar(20);`,
    undo: `alter table staff drop column iban; ${columns('staff', ['iban_old', 'iban'])}`,
  },
  {
    what: 'an excluded column is renamed, and a new one of another type has its name',
    change: `${columns('staff', ['token', 'token_old'])} alter table staff add column token int;`,
    undo: `alter table staff drop column token; ${columns('staff', ['token_old', 'token'])}`,
  },
  {
    what: 'a column is renamed twice, and each time a new one has its name',
    change: `${columns('staff', ['iban', 'a'])} alter table staff add column iban varchar(20);
      ${columns('staff', ['iban', 'b'])} alter table staff add column iban varchar(20);`,
    undo: `alter table staff drop column iban, drop column b; ${columns('staff', ['a', 'iban'])}`,
  },
  {
    what: 'a hidden column and another one swap names',
    change: columns('staff', ...swap('iban', 'bonus')),
    undo: columns('staff', ...swap('iban', 'bonus')),
  },
  {
    what: 'an excluded column and another one swap names',
    change: columns('staff', ...swap('token', 'desk')),
    undo: columns('staff', ...swap('token', 'desk')),
  },
  {
    what: 'columns swap names, and the condition of a rule reads one of them',
    change: columns('logs', ...swap('owner', 'author')),
    undo: columns('logs', ...swap('owner', 'author')),
  },
  {
    what: 'a table with a rule is renamed, and a new one has its name',
    change: `${tables(['logs', 'logs_old'])} create table logs (id int primary key, owner varchar(20), body varchar(20), author varchar(20));`,
    undo: `drop table logs; ${tables(['logs_old', 'logs'])}`,
  },
  {
    what: 'an excluded table is renamed, and a new one has its name',
    change: `${tables(['vault', 'vault_old'])} create table vault (id int primary key, code varchar(20));`,
    undo: `drop table vault; ${tables(['vault_old', 'vault'])}`,
  },
  {
    what: 'a table with a rule and another one of the same form swap names',
    change: tables(...swap('logs', 'papers')),
    undo: tables(...swap('logs', 'papers')),
    unknownTo: ['MariaDB'],
  },
  {
    what: 'an excluded table and another one swap names',
    change: tables(...swap('vault', 'board')),
    undo: tables(...swap('vault', 'board')),
  },
  {
    what: 'an excluded table takes the name of one that is renamed',
    change: tables(['board', 'board_old'], ['vault', 'board']),
    undo: tables(['board', 'vault'], ['board_old', 'board']),
  },
  {
    what: 'a view takes the place of a table with hidden columns',
    change: `${tables(['staff', 'staff_base'])}
      create view staff as select id, name, bonus as iban, iban as pay, bonus, token, room, desk from staff_base;`,
    undo: `drop view staff; ${tables(['staff_base', 'staff'])}`,
  },
];

/** These drop something: the next one begins with new tables. */
export const lossyExchanges: readonly Omit<ExchangedNames, 'undo'>[] = [
  {
    what: 'a hidden column takes the name of one of the same type that is dropped',
    change: `alter table staff drop column bonus; ${columns('staff', ['iban', 'bonus'])}`,
  },
  {
    what: 'an excluded column takes the name of one of another type that is dropped',
    change: `alter table staff drop column room; ${columns('staff', ['token', 'room'])}`,
  },
  {
    what: 'an excluded table takes the name of one that is dropped',
    change: `drop table board; ${tables(['vault', 'board'])}`,
  },
];
