import { readdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { createJiti } from 'jiti';
import { lilconfig, type Loader } from 'lilconfig';
import { TablewrightError } from '../errors.js';
import { isRecord } from '../json.js';
import { systemCode } from '../system-error.js';
import { codeFrame, positionAt } from './code-frame.js';
import { claim, role } from './claim.js';
import { defineConfig } from './define-config.js';
import { findSyntaxError, jsonErrorOffset, type SyntaxMistake } from './syntax-error.js';

/** The names a configuration file may have, in the order they are looked for. */
export const configNames = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml'].map(
  (extension) => `tablewright.config.${extension}`,
);

export interface ConfigFile {
  readonly path: string;
  /** The content of the file, unchecked. */
  readonly value: unknown;
}

/**
 * The configuration file in a folder, not in those above it; undefined when it has none. Throws
 * CONFIG_UNREADABLE, also for a second file and for one in a form that is not read: its `exclude`
 * and `rules` would be missing.
 */
export async function findConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const path = resolve(folder);
  const looksLike = /^(?:tablewright\.config\.[a-z0-9]+|\.tablewrightrc(?:\.[a-z0-9]+)?)$/i;
  const [first, ...others] = (await namesIn(path)).filter((name) => looksLike.test(name)).sort();
  const unread = [first, ...others].find((name) => name !== undefined && !configNames.includes(name));
  if (unread !== undefined)
    throw unreadable(join(path, unread), `a configuration file is called one of ${configNames.join(', ')}`, undefined);
  if (others.length > 0)
    throw unreadable(path, `only one of ${[first, ...others].join(', ')} can be the configuration file`, undefined);
  return first === undefined ? undefined : readConfigFile(join(path, first));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw unreadable(folder, describe(error), error);
  }
}

/** Reads the named file. Throws CONFIG_UNREADABLE. */
export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const found = await load(resolve(path));
    if (found !== null) return found;
  } catch (error) {
    if (error instanceof TablewrightError) throw error;
    throw unreadable(path, systemCode(error) === 'ENOENT' ? 'there is no such file' : describe(error), error);
  }
  throw unreadable(path, 'there is no such file', undefined);
}

/** Nothing is cached: `--watch` and `dev` read the file again when it has changed. */
async function load(path: string): Promise<ConfigFile | null> {
  const loaders = Object.fromEntries(configNames.map((name) => [extname(name), loaderOf(extname(name))]));
  const found = await lilconfig('tablewright', { cache: false, loaders }).load(path);
  if (found === null) return null;
  if (found.isEmpty === true) throw saysNothing(path, 'it is empty');
  return { path: found.filepath, value: found.config as unknown };
}

/** A file that was cut off or exports nothing had `exclude` and `rules`, perhaps. */
const saysNothing = (path: string, reason: string): TablewrightError =>
  unreadable(path, reason, undefined, `Settings that restrict would be missing. For no settings, write {}.\n`);

function loaderOf(extension: string): Loader {
  if (extension === '.json') return loadJson;
  return extension === '.yaml' || extension === '.yml' ? loadYaml : loadModule;
}

/**
 * TypeScript or JavaScript. `tablewright` is this package, whether or not it is installed where the
 * file is.
 */
async function loadModule(path: string, text: string): Promise<unknown> {
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    virtualModules: { tablewright: { claim, defineConfig, role } },
  });
  const value = await jiti.import(path, { default: true }).catch(async (error: unknown) => {
    const mistake = await findSyntaxError(path);
    throw mistake === undefined ? unreadable(path, describe(error), error) : misspelt(path, mistake);
  });
  // Without an export the module itself is the value.
  if (isRecord(value) && Object.keys(value).length === 0 && !/\bexports?\b/.test(text))
    throw saysNothing(path, 'it exports nothing');
  return value;
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
