import { nearest, problemOfRates } from '@tablewright/runtime/model';
import { TablewrightError } from '../errors.js';
import { acceptedBy, choicesOf, configSchema, isNumeric, keysAt, silencedRule, type ValidConfig } from './schema.js';
import { isRecord } from '../json.js';

/**
 * Checks the content of a configuration file. `file` is how the file is called in errors.
 *
 * Throws CONFIG_UNKNOWN_KEY with every unknown key and the known one nearest to each, and
 * CONFIG_INVALID naming the key, the kind of its value and the accepted values. No value is ever
 * part of an error: it may be a password.
 */
export function validateConfig(value: unknown, file: string): ValidConfig {
  if (!isRecord(value)) {
    throw new TablewrightError(
      'CONFIG_INVALID',
      `${file} must hold an object of settings, but holds ${kindOf(value)}.`,
      file.endsWith('ts') || file.endsWith('js')
        ? 'Write `export default defineConfig({ … })`.'
        : 'See docs/configuration.md.',
    );
  }
  const flat = flattenSettings(value);
  const result = configSchema.safeParse(flat);
  if (result.success) return result.data;
  const { issues } = result.error;
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key): UnknownKey => ({ key, path: issue.path })) : [],
  );
  const [first, ...others] = unknown;
  if (first === undefined) throw invalidValue(flat, issues[0]?.path ?? [], file);
  throw others.length === 0 ? unknownKey(first, file) : unknownKeys(unknown, file);
}

/** `{ app: { 'max-rows': 5 } }`, as YAML invites to write, is `{ 'app.max-rows': 5 }`. */
function flattenSettings(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: [string, unknown][] = [];
  const visit = (key: string, inner: unknown): void => {
    if (!isRecord(inner)) flat.push([key, inner]);
    else for (const [part, each] of Object.entries(inner)) visit(`${key}.${part}`, each);
  };
  for (const [key, inner] of Object.entries(value)) {
    // Editors find the JSON Schema of the file by this key.
    if (key === '$schema') continue;
    if (key === 'app' || key.startsWith('app.')) visit(key, inner);
    else flat.push([key, inner]);
  }
  return Object.fromEntries(flat);
}

interface UnknownKey {
  readonly key: string;
  /** The way to the object that has it. */
  readonly path: readonly PropertyKey[];
}

function unknownKey({ key, path }: UnknownKey, file: string): TablewrightError {
  const place = path.length === 0 ? file : `${written(path)} in ${file}`;
  const known = keysAt(path);
  const suggestion = nearest(key, known);
  return new TablewrightError(
    'CONFIG_UNKNOWN_KEY',
    `Unknown key "${key}" in ${place}.`,
    suggestion === undefined ? knownKeys(path) : `Did you mean "${suggestion}"?`,
  );
}

/** Reports all mistakes at once, so that the user need not run the command for each of them. */
function unknownKeys(unknown: readonly UnknownKey[], file: string): TablewrightError {
  const lines = unknown.map(({ key, path }) => {
    const suggestion = nearest(key, keysAt(path));
    const place = path.length === 0 ? '' : ` in ${written(path)}`;
    return `"${key}"${place}: ${suggestion === undefined ? 'nothing is called like it' : `did you mean "${suggestion}"?`}`;
  });
  const unlike = unknown.filter(({ key, path }) => nearest(key, keysAt(path)) === undefined);
  const places = new Map(unlike.map(({ path }) => [path.length === 0, path]));
  return new TablewrightError(
    'CONFIG_UNKNOWN_KEY',
    `${String(unknown.length)} unknown keys in ${file}.`,
    [...lines, ...[...places.values()].map(knownKeys)].join('\n'),
  );
}

function knownKeys(path: readonly PropertyKey[]): string {
  const known = keysAt(path).filter((each) => !each.startsWith('app.'));
  const server = path.length === 0 ? ', and those of the server, app.…: see docs/configuration.md' : '';
  return `Known keys${path.length === 0 ? '' : ` of ${written(path)}`}: ${known.join(', ')}${server}.`;
}

function invalidValue(config: unknown, path: readonly PropertyKey[], file: string): TablewrightError {
  let value = config;
  for (const key of path) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
  const key = keyOf(path);
  const accepted = innerAccepts(key, path) ?? acceptedBy(key);
  const suggestion = typeof value === 'string' ? nearest(value, choicesOf(key)) : undefined;
  return new TablewrightError(
    'CONFIG_INVALID',
    `${written(path)} in ${file} must be ${accepted}, but is ${kindOf(value, key)}.`,
    suggestion === undefined ? hintFor(key, value) : `Did you mean "${suggestion}"?`,
  );
}

function hintFor(key: string, value: unknown): string {
  const problem = key === 'app.limits.rates' ? problemOfRates(value) : undefined;
  return problem === undefined ? 'docs/configuration.md describes every key.' : `It is not valid: ${problem}.`;
}

/** The key whose value is wrong, as `acceptedBy` knows it. */
function keyOf(path: readonly PropertyKey[]): string {
  if (path[0] === 'doctor' && path.at(-1) === 'rule') return silencedRule;
  return path[0] === 'names' ? path.join('.') : String(path[0]);
}

/** The accepted values at a place inside the value of a key. */
function innerAccepts(key: string, path: readonly PropertyKey[]): string | undefined {
  if (key === 'rename' && path.length > 1) return renameAccepts(path);
  if (key !== 'doctor' || path.length === 1) return undefined;
  const last = path.at(-1);
  if (last === 'reason') return 'text that says why';
  if (typeof last === 'number') return path.length === 3 ? 'an object with `rule` and `reason`' : 'text';
  return 'a list';
}

const renameAccepts = (path: readonly PropertyKey[]): string => {
  const takesNames = path.length === 2 || (path.length === 3 && path[2] !== 'name' && path[2] !== 'field');
  return takesNames ? 'an object of new names' : 'text';
};

/** `rename["kanban.issues"].columns`, as one would write it. */
const written = (path: readonly PropertyKey[]): string =>
  path
    .map((key, at) => {
      if (at === 0) return String(key);
      return typeof key === 'string' && /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join('');

/**
 * The kind of a value. Text is never shown, nor a number instead of text: either may be a password.
 */
function kindOf(value: unknown, key = ''): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return choicesOf(key).length > 0 ? 'none of them' : 'text';
    case 'number':
      return isNumeric(key) ? String(value) : 'a number';
    case 'boolean':
      return String(value);
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}
