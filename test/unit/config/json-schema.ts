import { z } from 'zod';
import { configSchema, generatorKeys } from '../../../src/config/schema.js';
import { settingDefinitions } from '../../../runtime/src/settings/settings.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of tablewright.config.json and .yaml, for editors. It accepts settings of the
 * server as one key (`app.server.port`) and as nested objects, grouped at any dot.
 * Source: JSON Schema, draft 2020-12.
 */
export function configurationJsonSchema(): JsonSchema {
  const { properties = {}, $schema } = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
  const described = Object.entries(properties).map(([key, value]): [string, JsonSchema] => [
    key,
    { ...(value as JsonSchema), ...descriptionOf(key) },
  ]);
  const settings = described.filter(([key]) => key.startsWith('app.'));
  const generator = described.filter(([key]) => !key.startsWith('app.'));
  const groups = groupsOf(settings.map(([key]) => key));
  const names = [...groups, ...settings.map(([key]) => key)];
  return {
    $schema,
    title: 'The configuration of Tablewright',
    ...object([['$schema', { type: 'string' }], ...generator, ...below('', names)]),
    $defs: Object.fromEntries([
      ...settings,
      ...groups.map((group): [string, JsonSchema] => [group, object(below(`${group}.`, names))]),
    ]),
  };
}

const object = (properties: readonly [string, JsonSchema][]): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(properties),
});

/** The settings and groups that a prefix has, each as a reference under the rest of its name. */
const below = (prefix: string, names: readonly string[]): readonly [string, JsonSchema][] =>
  names
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name.slice(prefix.length), { $ref: `#/$defs/${name}` }]);

/** `app.server.port` → `app`, `app.server`. */
function groupsOf(keys: readonly string[]): readonly string[] {
  const groups = keys.flatMap((key) =>
    key.split('.').flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('.')])),
  );
  return [...new Set(groups)].sort();
}

function descriptionOf(key: string): JsonSchema {
  const setting = Object.entries(settingDefinitions).find(([name]) => name === key)?.[1];
  if (setting !== undefined) {
    return { description: setting.description, ...('default' in setting ? { default: setting.default } : {}) };
  }
  return { description: Object.entries(generatorKeys).find(([name]) => name === key)?.[1].description };
}
