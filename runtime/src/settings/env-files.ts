import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { environmentName, settingDefinitions, type SettingDefinition } from './settings.js';
import { keySources, type Environment } from './load-settings.js';

/**
 * The variables that the `.env` files of a folder add to an environment: `.env.production.local`,
 * `.env.local`, `.env.production` and `.env` with NODE_ENV=production, the first file that names a
 * variable wins. Nothing of the environment is overridden: a setting that it gives under one of
 * several names (`PORT`, `APP_SERVER_PORT`) is not taken from a file under another.
 */
export function readEnvFiles(folder: string, environment: Environment): Readonly<Record<string, string>> {
  const added: Record<string, string> = {};
  for (const name of fileNames(environment['NODE_ENV'] ?? '')) {
    const before: Environment = { ...environment, ...added };
    for (const [variable, value] of Object.entries(parseEnv(readIfThere(join(folder, name))))) {
      if (value !== undefined && !isGiven(variable, before)) added[variable] = value;
    }
  }
  return added;
}

/** The variables that `load-env.ts` has taken from files. */
const fromFiles = new Map<string, string>();

/** Adds the variables of the files in a folder to an environment. */
export function addEnvFiles(folder: string, environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(readEnvFiles(folder, environment))) {
    environment[name] = value;
    fromFiles.set(name, value);
  }
}

/** The environment without the files, which a process that is started with it reads again. */
export const withoutFileVariables = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name, value]) => fromFiles.get(name) !== value));

/**
 * Source: https://github.com/bkeepers/dotenv#customizing-rails, which other tools follow. Tests are
 * to be the same on every machine.
 */
function fileNames(mode: string): readonly string[] {
  const local = mode === 'test' ? [] : ['.env.local'];
  return mode === '' ? [...local, '.env'] : [`.env.${mode}.local`, ...local, `.env.${mode}`, '.env'];
}

/** Names of one setting, and names of settings that exclude each other. */
const alternatives: readonly (readonly string[])[] = [
  ...Object.entries<SettingDefinition>(settingDefinitions).map(([key, { environment = [] }]) => [
    environmentName(key),
    ...environment,
  ]),
  keySources.map(environmentName),
];

function isGiven(variable: string, environment: Environment): boolean {
  if (environment[variable] !== undefined) return true;
  const others = alternatives.filter((names) => names.includes(variable)).flat();
  return others.some((name) => (environment[name] ?? '') !== '');
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)) process.emitWarning(`${path} cannot be read (${code}).`);
    return '';
  }
}
