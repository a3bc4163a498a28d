import { Command } from 'commander';
import { type Catalog, type Table, buildModel, fingerprint } from '@tablewright/runtime/model';
import { chosenCatalog, named, narrowed, type CatalogFlags } from './chosen-catalog.js';
import { exitCodes } from './exit-codes.js';
import { rightsIn, viewOf } from './role-view.js';
import { configure, printJson, withCommonFlags, withSourceFlags, type Session } from './session.js';
import { fitted, printable, renderTable, wrapped } from './table.js';

interface InspectFlags extends CatalogFlags {
  readonly role?: string;
}

/** `tablewright inspect` */
export function inspectCommand(session: Session): Command {
  const command = new Command('inspect').description('show the catalogue of the database');
  withSourceFlags(command)
    .option('--offline', 'show the committed catalog.json instead of the database')
    .option('--schema <name>', 'only this schema')
    .option('--table <name>', 'one table with its columns: kanban.issues, or issues where no other schema has one')
    .option(
      '--role <name>',
      'what a database role may use of the API, by its grants and the rules of the configuration',
    )
    .action((flags: InspectFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright inspect --url postgres://me@localhost/shop',
      'tablewright inspect --schema kanban',
      'tablewright inspect --table kanban.issues',
      'tablewright inspect --role reader',
      "tablewright inspect --json | jq -r '.catalog.tables[].name'",
    ],
    ['0  done', '1  error'],
  );
}

async function run(session: Session, flags: InspectFlags): Promise<void> {
  const catalog = await asRole(session, flags, await chosenCatalog(session, flags));
  session.exitCode = exitCodes.success;
  const shown = narrowed(catalog, flags);
  if (flags.json === true) printJson(session, { fingerprint: fingerprint(catalog), catalog: shown });
  else if (flags.table === undefined) print(session, shown, fingerprint(catalog));
  else for (const table of shown.tables) printTable(session, table);
}

async function asRole(session: Session, { role, ...flags }: InspectFlags, catalog: Catalog): Promise<Catalog> {
  if (role === undefined) return catalog;
  const config = await configure(session, flags);
  const rights = await rightsIn(session, config, { role, offline: flags.offline });
  return viewOf({ catalog, model: buildModel(catalog, config.model) }, role, rights, config).catalog;
}

/** What every terminal has. */
const width = 80;

function print({ terminal }: Session, catalog: Catalog, hash: string): void {
  const { bold, dim } = terminal.colors.out;
  const head = ['table', 'kind', 'columns', 'key', 'refs', 'policies', 'rights'];
  const rows = catalog.tables.map(tableRow);
  const lines = renderTable(fitted([head, ...rows], [0, 3], width));
  for (const [at, line] of lines.entries()) terminal.print(at === 0 ? bold(line) : line);
  terminal.print();
  for (const [what, names] of Object.entries(others(catalog))) {
    for (const [at, line] of wrapped(names, width - 12).entries()) {
      terminal.print(`${at === 0 ? bold(what.padEnd(12)) : ' '.repeat(12)}${line}`);
    }
  }
  terminal.print(dim(`fingerprint ${hash}`));
  if (catalog.tables.length > 0) terminal.print(dim('One table with its columns: tablewright inspect --table NAME'));
}

function printTable({ terminal }: Session, table: Table): void {
  const { bold } = terminal.colors.out;
  const title = `${printable(named(table))}: ${kinds[table.kind]}, ${rowSecurityInWords(table)}, rights ${rights(table)}`;
  for (const line of wrapped(title.split(' '), width, ' ')) terminal.print(bold(line));
  if (table.comment !== null) for (const line of wrapped(table.comment.split(/\s+/), width, ' ')) terminal.print(line);
  terminal.print();
  const key = new Set(table.primaryKey?.columns ?? []);
  const rows = table.columns.map((column) => [
    column.name,
    column.type.formatted,
    [key.has(column.name) ? 'key' : '', column.nullable ? '' : 'not null', ...references(table, column.name)]
      .filter((part) => part !== '')
      .join(', '),
  ]);
  for (const line of renderTable(fitted([['column', 'type', ''], ...rows], [0, 1, 2], width))) terminal.print(line);
}

const references = (table: Table, column: string): readonly string[] =>
  table.foreignKeys.filter(({ columns }) => columns.includes(column)).map((key) => `→ ${named(key.references)}`);

const rowSecurityInWords = (table: Table): string => {
  const text = rowSecurity(table);
  return text === '-' ? 'no row level security' : `row level security (${text})`;
};

const kinds: Readonly<Record<Table['kind'], string>> = {
  table: 'table',
  partitionedTable: 'partitioned',
  foreignTable: 'foreign',
  view: 'view',
  materializedView: 'materialised',
};

function tableRow(table: Table): string[] {
  return [
    named(table),
    kinds[table.kind],
    String(table.columns.length),
    table.primaryKey?.columns.join(', ') ?? '-',
    table.foreignKeys.length === 0 ? '-' : String(table.foreignKeys.length),
    rowSecurity(table),
    rights(table),
  ];
}

function rowSecurity({ rowSecurity: { enabled, forced, policies } }: Table): string {
  if (!enabled) return '-';
  const count = String(policies.length);
  return forced ? `${count}, forced` : count;
}

/**
 * The privileges of the connecting role, as `psql` abbreviates it: r(ead) a(ppend) w(rite)
 * d(elete).
 */
function rights({ privileges }: Table): string {
  const letters = [
    privileges.select ? 'r' : '',
    privileges.insert ? 'a' : '',
    privileges.update ? 'w' : '',
    privileges.delete ? 'd' : '',
  ].join('');
  return letters === '' ? 'none' : letters;
}

function others(catalog: Catalog): Readonly<Record<string, readonly string[]>> {
  return {
    enums: catalog.enums.map((each) => `${named(each)} (${String(each.labels.length)})`),
    domains: catalog.domains.map((each) => `${named(each)} (${each.base.formatted})`),
    composites: catalog.composites.map(named),
    procedures: catalog.routines.filter((each) => each.kind === 'procedure').map(named),
    functions: catalog.routines.filter((each) => each.kind === 'function').map(named),
    extensions: catalog.extensions.map((each) => each.name),
  };
}
