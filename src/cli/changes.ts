import { Command, Option } from 'commander';
import { buildModel, hasChanges } from '@tablewright/runtime/model';
import { dialects } from '../dialects/index.js';
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

const sourceOption = (): Option =>
  new Option(
    '--source <source>',
    'where changes of PostgreSQL come from (default: app.changes.source, otherwise wal)',
  ).choices(['wal', 'notify']);

async function run(session: Session, flags: ChangesFlags): Promise<void> {
  const config = await configure(session, flags);
  const { stage } = progressOf(session, flags);
  const catalog = await stage('Read the database', () => readDatabase({ ...config, signal: session.signal }));
  const { tables } = buildModel(catalog, config.model);
  const configured = config.serverSettings()['app.changes.source'];
  const { changes } = dialects[catalog.dialect];
  const source = changes.source(flags.source, configured);
  const reported = tables
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
  const sql = changes.sql(
    source,
    reported.map((table) => ({ ...table, schema: of(table.schema) })),
  );
  session.exitCode = exitCodes.success;
  if (flags.json === true) printJson(session, { source, tables: reported, without, sql });
  else if (flags.sql === true) session.terminal.print(sql.trimEnd());
  else {
    const { print } = session.terminal;
    for (const { schema, name } of reported) print(`${schema}.${name}`);
    for (const { schema, name, reason } of without) print(`${schema}.${name}: not reported, ${reason}`);
    print('');
    print('The SQL that makes the database report them: tablewright changes --sql');
  }
}
