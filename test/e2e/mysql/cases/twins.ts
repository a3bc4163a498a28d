import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildGenerated } from '../../../support/generated-program.js';
import { createMysqlDatabase, loadMysql } from '../../../support/mysql.js';
import { createTestDatabase, loadSql } from '../../../support/postgres.js';
import type { RunningServer } from '../../../support/running-server.js';
import { startServerHere } from '../../../support/server-here.js';

/** A case with a schema for each of the two databases, and requests for both. */
export interface TwinCase {
  readonly name: string;
  readonly requests: readonly CaseRequest[];
}

/**
 * A request of a case's requests.json: a GraphQL document, or a REST request. `<a>` and `<A>` stand
 * for the names of schema `a`.
 */
export interface CaseRequest {
  readonly name: string;
  readonly graphql?: string;
  readonly schema?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly prefer?: string;
  readonly range?: string;
  readonly accept?: string;
}

/**
 * All such cases, in one PostgreSQL database and in MariaDB databases of the same names, with one
 * server for each side.
 */
export interface Twins {
  readonly cases: readonly TwinCase[];
  readonly postgres: RunningServer;
  readonly mysql: RunningServer;
  readonly names: SchemaNames;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../../../cases');

export async function serveTwins(): Promise<Twins> {
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends) await end();
  };
  try {
    const folders = await twinFolders();
    const mysqlTexts = await Promise.all(folders.map((name) => text(name, 'schema.mysql.sql')));
    const names = schemaNames(mysqlTexts.flatMap(schemasOf));
    const server = await createMysqlDatabase('cases');
    ends.push(async () => {
      for (const schema of [...names.all.values()].reverse())
        await loadMysql(server.url, `drop database if exists \`${schema}\``);
      await server.drop();
    });
    for (const sql of mysqlTexts) await loadMysql(server.url, names.inSql(sql, '`'));
    const database = await createTestDatabase('cases');
    ends.push(() => database.drop());
    for (const name of folders) await loadSql(database.url, names.inSql(await text(name, 'schema.sql'), '"'));
    const serve = async (url: string, configFile: string): Promise<RunningServer> => {
      const schemas = [...names.all.values()];
      const options = await Promise.all(folders.map((name) => optionsOf(name, configFile)));
      const config = { schemas, ...merged(options.map((each) => names.inConfig(each))) };
      const program = await buildGenerated(url, { 'tablewright.config.json': JSON.stringify(config) });
      ends.unshift(() => program.remove());
      const running = await startServerHere(program.folder, { DATABASE_URL: url, APP_SCHEMAS: schemas.join(',') });
      ends.unshift(() => running.stop());
      return running;
    };
    return {
      cases: await Promise.all(folders.map(async (name) => ({ name, requests: await requestsOf(name) }))),
      postgres: await serve(database.url, 'config.json'),
      mysql: await serve(server.url, 'config.mysql.json'),
      names,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const text = (name: string, file: string): Promise<string> => readFile(join(root, name, file), 'utf8');

const has = (name: string, file: string): boolean => existsSync(join(root, name, file));

/** The cases that have a schema for both databases. */
export async function twinFolders(): Promise<readonly string[]> {
  const folders = await readdir(root);
  return folders.filter((name) => has(name, 'schema.sql') && has(name, 'schema.mysql.sql')).sort();
}

/** The cases for PostgreSQL only. */
export async function otherFolders(): Promise<readonly string[]> {
  const folders = await readdir(root);
  return folders.filter((name) => has(name, 'schema.sql') && !has(name, 'schema.mysql.sql')).sort();
}

const requestsOf = async (name: string): Promise<readonly CaseRequest[]> =>
  JSON.parse(await text(name, 'requests.json')) as readonly CaseRequest[];

/** A case whose names differ on MariaDB has separate options for MariaDB. */
async function optionsOf(name: string, file: string): Promise<string> {
  if (has(name, file)) return text(name, file);
  return has(name, 'config.json') ? text(name, 'config.json') : '{}';
}

interface Options {
  readonly rename?: object;
  readonly exclude?: readonly string[];
}

function merged(texts: readonly string[]): Options {
  const all = texts.map((each) => JSON.parse(each) as Options);
  return {
    rename: Object.assign({}, ...all.map(({ rename }) => rename)) as object,
    exclude: all.flatMap(({ exclude = [] }) => exclude),
  };
}

/** The schemas that the SQL creates. */
export const schemasOf = (sql: string): readonly string[] =>
  [...sql.matchAll(/^create schema (`?)(.+?)\1(?=[ ;])/gm)].map(([, , name = '']) => name);

/**
 * A schema of MariaDB is a database of the whole server, so each run has names of its own, the same
 * on both sides.
 */
export interface SchemaNames {
  /** The names of this run by the names in the case. */
  readonly all: ReadonlyMap<string, string>;
  inSql(sql: string, quote: string): string;
  inConfig(config: string): string;
  /** A document with GraphQL names in place of `<a>` and `<A>`. */
  inDocument(document: string): string;
  /** An answer or a schema with the case's names of the schemas. */
  back(text: string): string;
}

export function schemaNames(schemas: readonly string[]): SchemaNames {
  // The suffix has letters only, so that it is one word in every naming convention.
  const suffix = [...randomBytes(8)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
  const separator = (name: string): string => (name.includes(' ') ? ' ' : '_');
  const all = new Map(schemas.map((name) => [name, `${name}${separator(name)}${suffix}`]));
  const prefixes = schemas.map((name) => ({ plain: camel(name), unique: camel(all.get(name) ?? name) }));
  const both = prefixes.flatMap(({ plain, unique }) => [
    { plain, unique },
    { plain: upper(plain), unique: upper(unique) },
  ]);
  const replaceAll = (from: string, pairs: readonly (readonly [string, string])[]): string =>
    pairs.reduce((done, [old, replacement]) => done.replaceAll(old, replacement), from);
  return {
    all,
    inSql: (sql, quote) =>
      [...all].reduce((done, [name, unique]) => {
        const path = new RegExp(`(?<![\\w"\`.'])(["\`]?)${name}\\1(?=\\.)`, 'g');
        const statement = new RegExp(`(?<=\\bschema )(["\`]?)${name}\\1(?!\\w)`, 'gi');
        const quoted = `${quote}${unique}${quote}`;
        return done.replace(path, quoted).replace(statement, quoted);
      }, sql),
    inConfig: (config) =>
      prefixes.reduce(
        (done, { plain, unique }) => done.replaceAll(new RegExp(`"${plain}(?=[A-Z])`, 'g'), `"${unique}`),
        replaceAll(
          config,
          [...all].map(([name, unique]) => [`"${name}.`, `"${unique}.`]),
        ),
      ),
    inDocument: (document) =>
      replaceAll(
        document,
        both.map(({ plain, unique }) => [`<${plain}>`, unique]),
      ),
    back: (answer) =>
      replaceAll(answer, [
        ...both.map(({ plain, unique }) => [unique, plain] as const),
        ...[...all].map(([name, unique]) => [unique, name] as const),
      ]),
  };
}

const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const camel = (name: string): string => {
  const [first = '', ...words] = name.split(/[ _]/);
  return [first.charAt(0).toLowerCase() + first.slice(1), ...words.map(upper)].join('');
};
