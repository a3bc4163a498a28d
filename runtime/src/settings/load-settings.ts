import { encodingHint, isCertainAddress, isReadableAddress } from '../certain-address.js';
import { misconfigured, ServerError, codes } from '../errors.js';
import { parseRates } from './rates.js';
import { environmentName, settingDefinitions, type SettingDefinition, type Settings } from './settings.js';

/** The process's environment, or a part of one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings a server runs with: the environment over what was generated from
 * tablewright.config.*, over the defaults. An empty variable counts as not there, unless its
 * setting restricts. Throws ServerError `misconfigured`, naming the variable and never showing a
 * secret.
 * Source: decision 009.
 */
export function loadSettings(baked: Partial<Settings>, environment: Environment): Settings {
  const resolved: Record<string, unknown> = {};
  const replaced = replacedBy(environment);
  for (const [key, definition] of Object.entries<SettingDefinition>(settingDefinitions)) {
    const given = fromEnvironment(key, definition, environment);
    const generated: unknown = replaced.has(key) ? undefined : Reflect.get(baked, key);
    const value: unknown = given ?? generated ?? definition.default;
    if (value !== undefined) resolved[key] = definition.isAddress === true ? certain(key, value, environment) : value;
  }
  if (environment['NODE_ENV'] === 'production') resolved['app.server.production'] = true;
  // Every key was resolved by its own definition.
  return resolved as unknown as Settings;
}

/** The value. Throws ServerError for an address that has no meaning, or two; never shows it. */
function certain(key: string, value: unknown, environment: Environment): unknown {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isDoubtful = (text: unknown): boolean =>
    typeof text === 'string' && text.includes('://') && !(isCertainAddress(text) && isReadableAddress(text));
  if (!texts.some(isDoubtful)) return value;
  const name = environmentText(key, environment)?.name ?? environmentName(key);
  throw new ServerError(500, codes.misconfigured, `The address in ${key} (${name}) cannot be read.`, {
    hint: encodingHint,
  });
}

/** Only one of these can be set. */
export const keySources = [
  'app.security.auth.jwks-url',
  'app.security.auth.public-key',
  'app.security.auth.public-key-file',
];

/**
 * A key source in the environment replaces a different key source in the generated settings,
 * because an empty variable cannot unset it.
 */
function replacedBy(environment: Environment): ReadonlySet<string> {
  const given = keySources.some((key) => (environment[environmentName(key)] ?? '') !== '');
  return new Set(given ? keySources : []);
}

function fromEnvironment(key: string, definition: SettingDefinition, environment: Environment): unknown {
  const found = environmentText(key, environment);
  if (found === undefined) return undefined;
  const value = parseSetting(found.name, found.text, definition);
  if (definition.restricts === true && Array.isArray(value) && value.length === 0) throw empty(found.name);
  return value;
}

/**
 * The variable that has a setting, with its text. Throws ServerError `misconfigured` if the setting
 * restricts and the variable is empty.
 */
export function environmentText(
  key: string,
  environment: Environment,
): { readonly name: string; readonly text: string } | undefined {
  const definitions: Readonly<Record<string, SettingDefinition>> = settingDefinitions;
  const { environment: others = [], restricts } = definitions[key] ?? {};
  for (const name of new Set([environmentName(key), ...others])) {
    const text = environment[name];
    if (restricts === true && text?.trim() === '') throw empty(name);
    if (text !== undefined && text !== '') return { name, text };
  }
  return undefined;
}

const empty = (name: string): ServerError =>
  misconfigured(
    `The variable ${name} is empty.`,
    'Without this setting more would be served. Give the variable a value, or unset it if that is meant.',
  );

function parseSetting(name: string, text: string, definition: SettingDefinition): unknown {
  switch (definition.type) {
    case 'integer':
      return parseInteger(name, text, definition);
    case 'count':
      return text.trim() === 'auto' ? 'auto' : parseInteger(name, text, definition, ', or auto');
    case 'boolean':
      return parseBoolean(name, text, definition);
    case 'list':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    case 'choice':
      if (definition.choices?.includes(text) !== true) {
        throw wrong(name, text, definition, `one of ${definition.choices?.join(', ') ?? ''}`);
      }
      return text;
    case 'rates': {
      const rates = parseRates(text);
      if (typeof rates === 'string') throw wrong(name, text, definition, `a list of rates as JSON (${rates})`);
      return rates;
    }
    case 'string':
      return text;
  }
}

function parseInteger(name: string, text: string, definition: SettingDefinition, otherwise = ''): number {
  const value = Number(text);
  const minimum = definition.minimum ?? 0;
  if (!/^\d{1,15}$/.test(text.trim()) || value < minimum) {
    throw wrong(name, text, definition, `a whole number, ${String(minimum)} or more${otherwise}`);
  }
  return value;
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function parseBoolean(name: string, text: string, definition: SettingDefinition): boolean {
  const value = booleans.get(text.trim().toLowerCase());
  if (value === undefined) throw wrong(name, text, definition, 'true or false');
  return value;
}

function wrong(name: string, text: string, definition: SettingDefinition, expected: string): ServerError {
  const shown = definition.secret === true ? '' : `, not \`${text}\``;
  return new ServerError(500, codes.misconfigured, `The setting ${name} has to be ${expected}${shown}.`, {
    hint: definition.description,
  });
}
