import pg from 'pg';
import { connect, readCatalog, type CatalogConnection } from '../../runtime/src/generator.js';
import {
  createSubject,
  diagnose,
  examinedPostgres,
  readFacts,
  rules,
  type Examined,
  type Finding,
  type RuleCode,
  type Serving,
} from '../../src/doctor/index.js';
import type { Facts } from '../../src/doctor/facts.js';
import { createTestDatabase, loadSql, type TestDatabase } from './postgres.js';

export { objectsOf, seen, sqlOf, type Seen } from './findings.js';

export interface ExamineOptions {
  readonly verification?: boolean;
  readonly exclude?: readonly string[];
  /** Facts that a test cannot produce in time, such as the age of statistics. */
  readonly facts?: Partial<Facts>;
  readonly serving?: Partial<Serving>;
}

/** A database for the tests of one rule. */
export interface Clinic {
  /** The database's address, as the superuser. */
  readonly url: () => string;
  /**
   * A plain role that owns nothing. The server connects as this role unless a test says otherwise.
   */
  readonly role: string;
  /**
   * Recreates schema `app` with this SQL, in which `ROLE` stands for the name of the role, and
   * returns the findings of the rule.
   */
  readonly examine: (sql: string, options?: ExamineOptions) => Promise<readonly Finding[]>;
  /** The findings for the current state of the database. */
  readonly again: (options?: ExamineOptions) => Promise<readonly Finding[]>;
  /** Runs the SQL of the findings as psql does, each statement on its own. */
  readonly mend: (findings: readonly Finding[]) => Promise<void>;
}

/** Opens a database for the tests of one file. */
export function openClinic(rule: RuleCode): Clinic {
  let database: TestDatabase | undefined;
  const role = `doctor_${rule.replaceAll('-', '_')}_${process.pid}`;
  const here = (): TestDatabase => {
    if (database === undefined) throw new Error('The database is made before the first test.');
    return database;
  };
  beforeAll(async () => {
    database = await createTestDatabase('doctor');
    await loadSql(database.url, `create role ${role}`);
  });
  afterAll(async () => {
    await loadSql(here().url, `drop schema if exists app cascade; drop owned by ${role}; drop role ${role}`);
    await here().drop();
  });
  const again = async (options: ExamineOptions = {}): Promise<readonly Finding[]> => {
    const connection = await connect(here().url);
    try {
      const { findings } = diagnose(await examinedBy(connection, role, options), { rules: [rule] });
      const declared = rules.find(({ code }) => code === rule)?.severities ?? [];
      expect(declared).toEqual(expect.arrayContaining(findings.map(({ severity }) => severity)));
      return findings;
    } finally {
      await connection.close();
    }
  };
  return {
    url: () => here().url,
    role,
    again,
    examine: async (sql, options) => {
      await loadSql(
        here().url,
        `drop schema if exists app cascade; create schema app; set search_path = app;
         ${sql.replaceAll('ROLE', role)};
         grant usage on schema app to ${role}; grant select, insert, update, delete on all tables in schema app to ${role}`,
      );
      return again(options);
    },
    mend: (findings) => runAlone(here().url, findings),
  };
}

export async function examinedBy(
  connection: CatalogConnection,
  role: string | undefined,
  { verification = false, exclude, facts, serving }: ExamineOptions = {},
): Promise<Examined> {
  const who: Serving = {
    verification,
    allowSuperuser: false,
    connecting: role,
    switched: [],
    alwaysSwitches: false,
    ...serving,
  };
  const catalog = await readCatalog(connection, {});
  const schemas = catalog.schemas.map(({ name }) => name);
  const read = await readFacts(connection, schemas, who);
  return examinedPostgres(createSubject(catalog, { ...read, ...facts }, who, exclude));
}

async function runAlone(url: string, findings: readonly Finding[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of findings.flatMap(({ remedy }) => remedy.sql)) await client.query(statement);
  } finally {
    await client.end();
  }
}
