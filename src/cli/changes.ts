import { Command, Option } from 'commander';
import { binlogSql, buildModel, hasChanges, notifySql, walSql } from '@tablewright/runtime/model';
import { projectPlaces, readDatabase } from '../generate.js';
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

interface ChangesFlags extends SourceFlags {
  readonly sql?: boolean;
  readonly source?: 'wal' | 'notify';
}

/** `tablewright changes` */
export function changesCommand(session: Session): Command {
  const command = new Command('changes').description(
    'show which tables can be subscribed to, and the SQL that makes the database report their changes',
  );
  withSourceFlags(command)
    .option('--sql', 'print the SQL alone; nothing is changed')
    .addOption(sourceOption())
    .action((flags: ChangesFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright changes', 'tablewright changes --sql > changes.sql', 'tablewright changes --sql --source notify'],
    ['0  done', '1  error'],
  );
}

const sqlOf = { wal: walSql, notify: notifySql, binlog: binlogSql };

const sourceOption = (): Option =>
  new Option(
    '--source <source>',
    'where changes of PostgreSQL come from (default: app.changes.source, else wal)',
  ).choices(['wal', 'notify']);

async function run(session: Session, flags: ChangesFlags): Promise<void> {
  const config = await configure(session, flags);
  const { stage } = progressOf(session, flags);
  const catalog = await stage('Read the database', () => readDatabase({ ...config, signal: session.signal }));
  const { tables } = buildModel(catalog, config.model);
  const configured = config.serverSettings()['app.changes.source'];
  const ofPostgres = flags.source ?? (configured === 'notify' ? 'notify' : 'wal');
  const source = catalog.dialect === 'mysql' ? 'binlog' : ofPostgres;
  const told = tables
    .filter(({ graphql, descriptor }) => graphql && hasChanges(descriptor))
    .map(({ descriptor: { schema, name, primaryKey } }) => ({ schema, name, key: primaryKey?.columns ?? [] }));
  const without = tables
    .filter(({ descriptor }) => !hasChanges(descriptor))
    .map(({ descriptor: { schema, name, kind } }) => ({
      schema,
      name,
      reason: kind === 'table' ? 'no key' : 'a view',
    }));
  const { of } = await projectPlaces(config);
  const sql = sqlOf[source](told.map((table) => ({ ...table, schema: of(table.schema) })));
  session.exitCode = exitCodes.success;
  if (flags.json === true) printJson(session, { source, tables: told, without, sql });
  else if (flags.sql === true) session.terminal.print(sql.trimEnd());
  else {
    const { print } = session.terminal;
    for (const { schema, name } of told) print(`${schema}.${name}`);
    for (const { schema, name, reason } of without) print(`${schema}.${name}: not reported, ${reason}`);
    print('');
    print('The SQL that makes the database report them: tablewright changes --sql');
  }
}
