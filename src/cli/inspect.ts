import { Command } from 'commander';
import type { Catalog, Table } from '../catalog/catalog.js';
import { fingerprint } from '../catalog/index.js';
import { TablewrightError } from '../errors.js';
import { committedCatalog, readDatabase } from '../generate.js';
import { exitCodes } from './exit-codes.js';
import {
  configure,
  printJson,
  progressOf,
  withCommonFlags,
  withSourceFlags,
  type Session,
  type SourceFlags,
} from './session.js';
import { renderTable } from './table.js';

interface InspectFlags extends SourceFlags {
  readonly offline?: boolean;
}

/** `tablewright inspect` */
export function inspectCommand(session: Session): Command {
  const command = new Command('inspect').description('show what is found in the database');
  withSourceFlags(command)
    .option('--offline', 'show the committed catalog.json instead of the database')
    .action((flags: InspectFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright inspect --url postgres://me@localhost/shop',
      "tablewright inspect --json | jq -r '.catalog.tables[].name'",
    ],
    ['0  done', '1  error'],
  );
}

async function run(session: Session, flags: InspectFlags): Promise<void> {
  const config = await configure(session, flags);
  const { stage } = progressOf(session, flags);
  const catalog =
    flags.offline === true
      ? await committedCatalog(config.out)
      : await stage('Read the database', () => readDatabase({ ...config, signal: session.signal }));
  if (catalog === undefined) {
    throw new TablewrightError('USAGE', 'There is no src/generated/catalog.json.', 'Name the project with --out.');
  }
  session.exitCode = exitCodes.success;
  if (flags.json === true) printJson(session, { fingerprint: fingerprint(catalog), catalog });
  else print(session, catalog);
}

function print({ terminal }: Session, catalog: Catalog): void {
  const { bold, dim } = terminal.colors.out;
  const head = ['table', 'kind', 'columns', 'primary key', 'references', 'row security', 'rights'];
  const lines = renderTable([head, ...catalog.tables.map(tableRow)]);
  for (const [at, line] of lines.entries()) terminal.print(at === 0 ? bold(line) : line);
  terminal.print();
  for (const [what, names] of Object.entries(others(catalog))) {
    if (names.length > 0) terminal.print(`${bold(what)}  ${names.join(', ')}`);
  }
  terminal.print(dim(`fingerprint ${fingerprint(catalog)}`));
}

const kinds: Readonly<Record<Table['kind'], string>> = {
  table: 'table',
  partitionedTable: 'partitioned',
  foreignTable: 'foreign',
  view: 'view',
  materializedView: 'materialised view',
};

function tableRow(table: Table): string[] {
  const references = [...new Set(table.foreignKeys.map((key) => `${key.references.schema}.${key.references.name}`))];
  return [
    `${table.schema}.${table.name}`,
    kinds[table.kind],
    String(table.columns.length),
    table.primaryKey?.columns.join(', ') ?? '-',
    references.length === 0 ? '-' : references.join(', '),
    rowSecurity(table),
    rights(table),
  ];
}

function rowSecurity({ rowSecurity: { enabled, forced, policies } }: Table): string {
  if (!enabled) return '-';
  const count = policies.length === 1 ? '1 policy' : `${String(policies.length)} policies`;
  return forced ? `${count}, forced` : count;
}

/** What the connecting role may do, as `psql` abbreviates it: r(ead) a(ppend) w(rite) d(elete). */
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
  const named = ({ schema, name }: { schema: string; name: string }): string => `${schema}.${name}`;
  return {
    enums: catalog.enums.map((each) => `${named(each)} (${String(each.labels.length)})`),
    domains: catalog.domains.map((each) => `${named(each)} (${each.base.formatted})`),
    composites: catalog.composites.map(named),
    procedures: catalog.routines.filter((each) => each.kind === 'procedure').map(named),
    functions: catalog.routines.filter((each) => each.kind === 'function').map(named),
    extensions: catalog.extensions.map((each) => each.name),
  };
}
