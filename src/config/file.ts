import { basename, dirname, extname, resolve } from 'node:path';
import { createJiti } from 'jiti';
import { lilconfig, type LilconfigResult, type Loader } from 'lilconfig';
import { TablewrightError } from '../errors.js';
import { systemCode } from '../system-error.js';
import { codeFrame, positionAt } from './code-frame.js';
import { claim, role } from './claim.js';
import { defineConfig } from './define-config.js';
import { findSyntaxError, jsonErrorOffset, type SyntaxMistake } from './syntax-error.js';

/** The names a configuration file may have, in the order they are looked for. */
export const configNames = ['ts', 'mts', 'js', 'mjs', 'json', 'yaml', 'yml'].map(
  (extension) => `tablewright.config.${extension}`,
);

export interface ConfigFile {
  readonly path: string;
  /** The content of the file, unchecked. */
  readonly value: unknown;
}

/**
 * The configuration file in a folder, not in those above it; undefined when it has none. Throws
 * CONFIG_UNREADABLE.
 */
export async function findConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const path = resolve(folder);
  return (await reader(path).search(path)) ?? undefined;
}

/** Reads the named file. Throws CONFIG_UNREADABLE. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const found = await reader(dirname(path)).load(resolve(path));
    if (found !== null) return found;
  } catch (error) {
    if (error instanceof TablewrightError) throw error;
    throw unreadable(path, systemCode(error) === 'ENOENT' ? 'there is no such file' : describe(error), error);
  }
  throw unreadable(path, 'there is no such file', undefined);
}

interface Reader {
  readonly search: (folder: string) => Promise<ConfigFile | null>;
  readonly load: (path: string) => Promise<ConfigFile | null>;
}

/** Nothing is cached: `--watch` and `dev` read the file again when it has changed. */
function reader(folder: string): Reader {
  const reading = lilconfig('tablewright', {
    searchPlaces: configNames,
    stopDir: folder,
    cache: false,
    ignoreEmptySearchPlaces: false,
    loaders: Object.fromEntries(configNames.map((name) => [extname(name), loaderOf(extname(name))])),
  });
  const convert = (found: LilconfigResult): ConfigFile | null =>
    found === null ? null : { path: found.filepath, value: found.isEmpty === true ? {} : (found.config as unknown) };
  return {
    search: async (from) => convert(await reading.search(from)),
    load: async (path) => convert(await reading.load(path)),
  };
}

function loaderOf(extension: string): Loader {
  if (extension === '.json') return loadJson;
  return extension === '.yaml' || extension === '.yml' ? loadYaml : loadModule;
}

/**
 * TypeScript or JavaScript. `tablewright` is this package, whether or not it is installed where the
 * file is.
 */
async function loadModule(path: string): Promise<unknown> {
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    virtualModules: { tablewright: { claim, defineConfig, role } },
  });
  try {
    return await jiti.import(path, { default: true });
  } catch (error) {
    const mistake = await findSyntaxError(path);
    throw mistake === undefined ? unreadable(path, describe(error), error) : misspelt(path, mistake);
  }
}

function loadJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw misspelt(path, { text, reason: 'it is not JSON', position: positionAt(text, jsonErrorOffset(text, error)) });
  }
}

/** Few projects have YAML: its parser is loaded for those. */
async function loadYaml(path: string, text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw misspelt(path, { text, reason: 'it is not YAML', position: { line, column: col } });
  }
  return document.toJS() as unknown;
}

/**
 * The first line of what went wrong. Errors of a configuration file need not be instances of our
 * `Error`.
 */
function describe(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(message).split('\n')[0] ?? '';
}

function misspelt(path: string, { text, reason, position }: SyntaxMistake): TablewrightError {
  const { line, column } = position;
  return unreadable(
    path,
    `${reason} (line ${String(line)}, column ${String(column)})`,
    undefined,
    `${codeFrame(text, position)}\n`,
  );
}

function unreadable(path: string, reason: string, cause: unknown, frame = ''): TablewrightError {
  return new TablewrightError(
    'CONFIG_UNREADABLE',
    `${basename(path)} could not be read: ${reason}.`,
    `${frame}Correct the file, or name another file with --config.`,
    { cause },
  );
}
