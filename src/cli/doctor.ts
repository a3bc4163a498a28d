import { Command, Option } from 'commander';
import { type ModelOptions, ServerError, type Settings, nearest } from '@tablewright/runtime/model';
import type { Config } from '../config/load.js';
import { splitList } from '../config/schema.js';
import {
  countBySeverity,
  diagnose,
  examine,
  mendingScript,
  reaches,
  ruleCodes,
  severities,
  type Diagnosis,
  type Examined,
  type RuleCode,
  type Serving,
  type Severity,
} from '../doctor/index.js';
import { TablewrightError } from '../errors.js';
import { projectPlaces, withDatabase } from '../generate.js';
import { reportLines } from './doctor-report.js';
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

interface DoctorFlags extends SourceFlags {
  readonly role?: string;
  readonly rule?: readonly string[];
  readonly sql?: boolean;
  readonly failOn: Severity | 'never';
}

/** `tablewright doctor` */
export function doctorCommand(session: Session): Command {
  const command = new Command('doctor').description(
    'find what is unsafe or slow in the database, with the SQL that fixes it; nothing is changed',
  );
  withSourceFlags(command)
    .option(
      '--role <name>',
      'the role the server connects as (default: app.datasource.username, otherwise the role of the connection)',
    )
    .addOption(
      new Option('--rule <codes>', 'only these rules, comma-separated; shows every finding with its SQL').argParser(
        splitList,
      ),
    )
    .option('--sql', 'print one script with the SQL of all findings')
    .addOption(
      new Option('--fail-on <severity>', 'the least severe finding that exits with 2')
        .choices([...severities, 'never'])
        .default('warning'),
    )
    .action((flags: DoctorFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright doctor --url postgres://me@localhost/shop --role shop_server',
      'tablewright doctor --rule foreign-key-without-index',
      'tablewright doctor --sql > fix.sql',
    ],
    ['0  no finding as severe as --fail-on', '1  error', '2  there are such findings'],
  );
}

async function run(session: Session, flags: DoctorFlags): Promise<void> {
  const rules = chosenRules(flags);
  if (flags.sql === true && flags.json === true) {
    throw new TablewrightError('USAGE', '--sql and --json exclude each other.', '--json has the SQL of each finding.');
  }
  const config = await configure(session, flags);
  const { stage } = progressOf(session, flags);
  const examined = await stage('Examine the database', () => examineDatabase(session, config, flags));
  const diagnosis = diagnose(examined, { ...config.doctor, rules });
  const { failOn } = flags;
  const fails = failOn !== 'never' && diagnosis.findings.some((finding) => reaches(finding, failOn));
  session.exitCode = fails ? exitCodes.findings : exitCodes.success;
  if (flags.json === true) printJson(session, documentOf(diagnosis));
  else if (flags.sql === true) session.terminal.print(mendingScript(diagnosis.findings, examined.dialect));
  else {
    for (const line of reportLines(diagnosis, session.terminal.colors.out, rules !== undefined)) {
      session.terminal.print(line);
    }
  }
}

/** What `--json` prints. docs/doctor.md describes it: members may be added, not changed. */
function documentOf({ findings, silenced, unusedSilences, skipped }: Diagnosis): unknown {
  return {
    counts: { ...countBySeverity(findings), silenced: silenced.length },
    findings,
    silenced: silenced.map(({ rule, object, reason }) => ({ rule, object, reason })),
    unusedSilences,
    skipped,
  };
}

function chosenRules({ rule: names }: DoctorFlags): readonly RuleCode[] | undefined {
  return names?.map((name) => {
    const code = ruleCodes.find((each) => each === name);
    if (code !== undefined) return code;
    const suggestion = nearest(name, ruleCodes);
    throw new TablewrightError(
      'USAGE',
      `There is no rule "${name}".`,
      suggestion === undefined ? `The rules: ${ruleCodes.join(', ')}.` : `Did you mean "${suggestion}"?`,
    );
  });
}

async function examineDatabase(session: Session, config: Config, flags: DoctorFlags): Promise<Examined> {
  // The SQL of findings is for this database, whatever the project calls it.
  const { schemas, of } = await projectPlaces(config);
  const inPlace = (name: string): string => name.replace(/^[^.]+(?=\.)/, of);
  const ruled = Object.keys(config.model.rules ?? {}).map(inPlace);
  const serving = {
    ...servingOf(settingsOf(config), flags.role, config.model),
    ...(ruled.length === 0 ? {} : { ruled: new Set(ruled) }),
  };
  const exclude = config.model.exclude?.map(inPlace);
  const computed = Object.values(config.model.computed ?? {}).flatMap((fields) => Object.values(fields));
  const functions = [...(config.model.functions ?? []), ...computed.map((each) => each.function)].map(inPlace);
  return withDatabase({ url: config.url, signal: session.signal }, (connection) =>
    examine(connection, serving, { schemas: schemas?.map(of), exclude, functions }),
  );
}

/** A setting of the environment may be wrong, as it may be for the server. */
function settingsOf(config: Config): Settings {
  try {
    return config.serverSettings();
  } catch (cause) {
    if (!(cause instanceof ServerError)) throw cause;
    throw new TablewrightError('CONFIG_INVALID', cause.message, cause.hint ?? 'See docs/configuration.md.', { cause });
  }
}

/** Who serves requests. Source: decision 007; the server's own check at start. */
function servingOf(settings: Settings, role: string | undefined, { functions }: ModelOptions): Serving {
  const verification = settings['app.security.jwt-enabled'];
  const anonymous = settings['app.security.anonymous-role'];
  const standard = settings['app.security.default-role'];
  const allowed = settings['app.security.role-claim'] === undefined ? [] : settings['app.security.allowed-roles'];
  const source = settings['app.changes.source'];
  const switched = [anonymous, standard, ...allowed].filter((name) => name !== undefined);
  return {
    verification,
    allowSuperuser: settings['app.security.allow-superuser'],
    connecting: role ?? settings['app.datasource.username'],
    switched: verification ? [...new Set(switched)] : [],
    alwaysSwitches: verification && anonymous !== undefined && standard !== undefined,
    callsAllFunctions: settings['app.rest.postgrest'] !== undefined && functions === undefined,
    ...(source === 'wal' || source === 'notify' ? { changes: source } : {}),
  };
}
