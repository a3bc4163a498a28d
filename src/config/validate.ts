import { nearest } from '../../templates/runtime/nearest.js';
import { TablewrightError } from '../errors.js';
import { acceptedBy, choicesOf, configSchema, isNumeric, keysAt, type ValidConfig } from './schema.js';

/**
 * Checks what a configuration file holds. `file` is how the file is called in errors.
 *
 * Throws CONFIG_UNKNOWN_KEY with the nearest known key, and CONFIG_INVALID naming the key, the kind of its value and what it takes.
 * No value is ever part of an error: it may be a password.
 */
export function validateConfig(value: unknown, file: string): ValidConfig {
  if (!isPlainObject(value)) {
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
  const [issue] = result.error.issues;
  throw issue?.code === 'unrecognized_keys'
    ? unknownKey(issue.keys[0] ?? '', issue.path, file)
    : invalidValue(flat, issue?.path ?? [], file);
}

/** `{ app: { 'max-rows': 5 } }`, as YAML invites to write, is `{ 'app.max-rows': 5 }`. */
function flattenSettings(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: [string, unknown][] = [];
  const visit = (key: string, inner: unknown): void => {
    if (!isPlainObject(inner)) flat.push([key, inner]);
    else for (const [part, each] of Object.entries(inner)) visit(`${key}.${part}`, each);
  };
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'app' || key.startsWith('app.')) visit(key, inner);
    else flat.push([key, inner]);
  }
  return Object.fromEntries(flat);
}

function unknownKey(key: string, path: readonly PropertyKey[], file: string): TablewrightError {
  const place = path.length === 0 ? file : `${written(path)} in ${file}`;
  const known = keysAt(path);
  const suggestion = nearest(key, known);
  return new TablewrightError(
    'CONFIG_UNKNOWN_KEY',
    `Unknown key "${key}" in ${place}.`,
    suggestion === undefined
      ? `Known keys: ${known.filter((each) => !each.startsWith('app.')).join(', ')}${path.length === 0 ? ', and those of the server, app.…: see docs/configuration.md' : ''}.`
      : `Did you mean "${suggestion}"?`,
  );
}

function invalidValue(config: unknown, path: readonly PropertyKey[], file: string): TablewrightError {
  let value = config;
  for (const key of path) value = isPlainObject(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
  const key = String(path[0]);
  const accepted = key === 'rename' && path.length > 1 ? renameAccepts(path) : acceptedBy(key);
  const suggestion = typeof value === 'string' ? nearest(value, choicesOf(key)) : undefined;
  return new TablewrightError(
    'CONFIG_INVALID',
    `${written(path)} in ${file} must be ${accepted}, but is ${kindOf(value, key)}.`,
    suggestion === undefined ? 'docs/configuration.md describes every key.' : `Did you mean "${suggestion}"?`,
  );
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

/** What a value is. Text is never shown, nor a number where text belongs: either may be a password. */
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

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
