import { randomBytes } from 'node:crypto';
import { connect } from '../../runtime/src/generator.js';
import { diagnose, examine, mysqlRules, type Finding, type RuleCode } from '../../src/doctor/index.js';
import { createMysqlDatabase, loadMysql, type MysqlDatabase } from './mysql.js';

export interface MysqlExamineOptions {
  readonly verification?: boolean;
  /** Tables of the database to exclude. */
  readonly exclude?: readonly string[];
  /** Functions of the database that the configuration names. */
  readonly functions?: readonly string[];
  /** Tables of the database with a rule in the configuration. */
  readonly ruled?: readonly string[];
  /**
   * The account of the server's connections. By default it may read and write the database, and
   * nothing else.
   */
  readonly account?: string;
}

/** A MariaDB database for tests of the doctor, and the account that serves it. */
export interface MysqlClinic {
  readonly url: () => string;
  /** The schema's name. Findings have `app` in its place. */
  readonly name: () => string;
  readonly account: string;
  /**
   * Recreates the database with this SQL, and returns the findings of the rule. `ACCOUNT` stands
   * for the name of the account.
   */
  readonly examine: (rule: RuleCode, sql: string, options?: MysqlExamineOptions) => Promise<readonly Finding[]>;
  readonly again: (rule: RuleCode, options?: MysqlExamineOptions) => Promise<readonly Finding[]>;
  /** Runs the SQL of the findings. */
  readonly mend: (findings: readonly Finding[]) => Promise<void>;
  /** Runs SQL. */
  readonly load: (sql: string) => Promise<void>;
}

/**
 * Opens a database for the tests of one file. The names of its accounts share a prefix, so that all
 * accounts can be removed.
 */
export function openMysqlClinic(): MysqlClinic {
  let database: MysqlDatabase | undefined;
  const account = `doctor_${randomBytes(5).toString('hex')}`;
  const here = (): MysqlDatabase => {
    if (database === undefined) throw new Error('The database is made before the first test.');
    return database;
  };
  const load = (sql: string): Promise<void> => loadMysql(here().url, sql);
  const again: MysqlClinic['again'] = async (
    rule,
    { verification = false, exclude = [], functions = [], account: asked, ruled } = {},
  ) => {
    const { name, url } = here();
    const connection = await connect(url);
    try {
      const examined = await examine(
        connection,
        {
          verification,
          allowSuperuser: false,
          connecting: asked ?? account,
          switched: [],
          alwaysSwitches: false,
          ...(ruled && { ruled: new Set(ruled.map((each) => `${name}.${each}`)) }),
        },
        {
          exclude: exclude.map((each) => `${name}.${each}`),
          functions: functions.map((each) => `${name}.${each}`),
        },
      );
      const { findings } = diagnose(examined, { rules: [rule] });
      const declared = mysqlRules.find(({ code }) => code === rule)?.severities ?? [];
      expect(declared).toEqual(expect.arrayContaining(findings.map(({ severity }) => severity)));
      return JSON.parse(JSON.stringify(findings).replaceAll(name, 'app')) as readonly Finding[];
    } finally {
      await connection.close();
    }
  };
  beforeAll(async () => {
    database = await createMysqlDatabase('doctor');
    await load(`create user ${account}@'%' identified by 'x'`);
  });
  afterAll(async () => {
    await load(`drop user if exists ${account}@'%', ${account}_other@'%'`);
    await here().drop();
  });
  return {
    url: () => here().url,
    name: () => here().name,
    account,
    again,
    load,
    examine: async (rule, sql, options) => {
      const { name } = here();
      await load(
        `create or replace database \`${name}\`; use \`${name}\`;
         grant select, insert, update, delete on \`${name}\`.* to ${account}@'%'; ${sql.replaceAll('ACCOUNT', account)}`,
      );
      return again(rule, options);
    },
    mend: (findings) =>
      load(
        findings
          .flatMap(({ remedy }) => remedy.sql)
          .join('\n')
          .replaceAll('`app`', `\`${here().name}\``),
      ),
  };
}
