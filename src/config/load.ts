import { basename, dirname, resolve } from 'node:path';
import {
  type ModelOptions,
  type SettingDefinition,
  type Settings,
  environmentName,
  environmentText,
  loadSettings,
  namingOptionsOf,
  readEnvFiles,
  ServerError,
  settingDefinitions,
} from '@tablewright/runtime/model';
import type { DoctorOptions } from '../doctor/options.js';
import { TablewrightError } from '../errors.js';
import { findConfigFile, readConfigFile, type ConfigFile } from './file.js';
import { splitList, type ValidConfig } from './schema.js';
import { validateConfig } from './validate.js';

/** The configuration of a run, from all sources: flag over environment over file over default. */
export interface Config {
  /** The configuration file that was read. */
  readonly file: string | undefined;
  /** The database to read, with role and password where they were given apart. Secret. */
  readonly url: string | undefined;
  readonly schemas: readonly string[] | undefined;
  /** Databases that have other names than their schemas: `app.datasource.databases`. */
  readonly databases: readonly string[] | undefined;
  /** The project's folder, absolute. */
  readonly out: string;
  readonly model: ModelOptions;
  /** Names in `exclude` that may match nothing. */
  readonly mayBeMissing: readonly string[];
  /** The environment with what `.env` files add to it. Has secrets. */
  readonly environment: Environment;
  /**
   * The server's settings the file gives, without secrets: to be written into the generated
   * project.
   */
  readonly settings: Partial<Settings>;
  readonly doctor: DoctorOptions;
  /** The settings that a server started here would run with. Throws ServerError `misconfigured`. */
  readonly serverSettings: () => Settings;
}

/** The values of the command line. */
export interface ConfigFlags {
  readonly url?: string | undefined;
  readonly schemas?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly config?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly folder: string;
  readonly environment: Environment;
  readonly flags: ConfigFlags;
}

/**
 * Reads the configuration. The file is the one `--config` names, else the one in the current
 * folder, else the one in the project's folder; none is needed. `.env` files are those of the
 * current folder and of the project's. Throws CONFIG_UNREADABLE, CONFIG_UNKNOWN_KEY or
 * CONFIG_INVALID. Source: decision 009.
 */
export async function loadConfig({ folder, environment: given, flags }: ConfigSources): Promise<Config> {
  const file = await configFile(folder, flags);
  const values: ValidConfig = file === undefined ? {} : validateConfig(file.value, basename(file.path));
  const home = file === undefined ? folder : dirname(file.path);
  const out = flags.out === undefined ? resolve(home, values.out ?? '.') : resolve(folder, flags.out);
  const environment = withEnvFiles(given, [folder, out]);
  const settings = bakedSettings(values);
  return {
    file: file?.path,
    url: withRole(
      flags.url ?? fromEnvironment('app.datasource.url', environment) ?? values.url ?? values['app.datasource.url'],
      fromEnvironment('app.datasource.username', environment) ?? values['app.datasource.username'],
      fromEnvironment('app.datasource.password', environment) ?? values['app.datasource.password'],
    ),
    schemas:
      chosen('--schemas', flags.schemas) ??
      listFrom('app.schemas', environment) ??
      chosen('schemas', values.schemas) ??
      chosen('app.schemas', values['app.schemas']),
    databases:
      listFrom('app.datasource.databases', environment) ??
      chosen('app.datasource.databases', values['app.datasource.databases']),
    out,
    environment,
    model: modelOptions(values),
    mayBeMissing: (values.exclude ?? []).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.name])),
    settings,
    doctor: values.doctor ?? {},
    serverSettings: () => loadSettings(settings, environment),
  };
}

/** The first folder's files win. */
function withEnvFiles(given: Environment, folders: readonly string[]): Environment {
  return folders.reduce<Environment>((known, folder) => ({ ...known, ...readEnvFiles(folder, known) }), given);
}

async function configFile(folder: string, flags: ConfigFlags): Promise<ConfigFile | undefined> {
  if (flags.config !== undefined) return readConfigFile(resolve(folder, flags.config));
  const here = await findConfigFile(folder);
  if (here !== undefined || flags.out === undefined) return here;
  return findConfigFile(resolve(folder, flags.out));
}

/** As the generated server reads it. Throws CONFIG_INVALID for an empty variable that restricts. */
function fromEnvironment(key: keyof typeof settingDefinitions, environment: Environment): string | undefined {
  try {
    return environmentText(key, environment)?.text;
  } catch (cause) {
    if (!(cause instanceof ServerError)) throw cause;
    throw new TablewrightError('CONFIG_INVALID', cause.message, cause.hint ?? '', { cause });
  }
}

function listFrom(key: 'app.schemas' | 'app.datasource.databases', environment: Environment): string[] | undefined {
  const text = fromEnvironment(key, environment);
  return text === undefined ? undefined : chosen(`The variable ${environmentName(key)}`, splitList(text));
}

/** Throws CONFIG_INVALID for an empty list: no choice would be every schema. */
export function chosen<Names extends readonly string[] | undefined>(what: string, names: Names): Names {
  if (names?.length !== 0) return names;
  throw new TablewrightError(
    'CONFIG_INVALID',
    `${what} is empty.`,
    'Name at least one, or leave it out if all are meant.',
  );
}

/** Role and password given apart complete a URL that has none of its own. */
function withRole(
  url: string | undefined,
  username: string | undefined,
  password: string | undefined,
): string | undefined {
  // A database in a folder has no roles to choose from.
  if (url === undefined || url.startsWith('pglite:') || !URL.canParse(url)) return url;
  const completed = new URL(url);
  if (username !== undefined && completed.username === '') completed.username = encodeURIComponent(username);
  if (password !== undefined && completed.password === '') completed.password = encodeURIComponent(password);
  return completed.href;
}

const excludedName = (entry: string | { readonly name: string }): string =>
  typeof entry === 'string' ? entry : entry.name;

function modelOptions(values: ValidConfig): ModelOptions {
  return definedOnly({
    ...namingOptionsOf(definedOnly({ ...values, exclude: values.exclude?.map(excludedName) })),
    rules: values.rules,
    clients: values.clients,
    apiDocuments: values.apiDocuments === false ? false : undefined,
    agentsFile: values.agentsFile === true ? true : undefined,
    bigint: values['app.types.bigint'],
    numeric: values['app.types.numeric'],
    restProcedures: values['app.rest.procedures'] === true ? true : undefined,
  });
}

/**
 * What equals its default is left out, so that a file that only spells the defaults out changes
 * nothing. `app.schemas` is left to the environment of each server, which serves a part of the
 * generated schemas.
 */
function bakedSettings(values: ValidConfig): Partial<Settings> {
  const baked = Object.entries<SettingDefinition>(settingDefinitions)
    .filter(([key, definition]) => definition.secret !== true && key !== 'app.schemas')
    .map(([key, definition]) => [key, Reflect.get(values, key) as unknown, definition.default] as const)
    .filter(([, value, standard]) => JSON.stringify(value) !== JSON.stringify(standard))
    .map(([key, value]) => [key, value] as const);
  return definedOnly(Object.fromEntries<unknown>(baked));
}

const definedOnly = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
