import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { configKeys, configSchema, generatorKeys } from '../../../src/config/schema.js';
import { ownPackage } from '../../../src/package.js';
import { settingDefinitions } from '../../../runtime/src/settings/settings.js';
import { documentConfiguration } from './document.js';
import { belongsTo, type Group, generatorGroups, settingGroups } from './groups.js';
import { ten } from './ten.js';

const path = join(ownPackage().folder, 'docs', 'configuration.md');

test('docs/configuration.md says what the code says', async () => {
  const text = await format(documentConfiguration(), { ...(await resolveConfig(path)), filepath: path });
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, text);
  expect(await readFile(path, 'utf8')).toBe(text);
  for (const key of configKeys) expect(text).toContain(`\`${key}\``);
});

test.each([
  ['generatorKeys', Object.keys(generatorKeys), generatorGroups],
  ['settingDefinitions', Object.keys(settingDefinitions), settingGroups],
] as const)('each key of %s is in exactly one group', (_, keys, groups: readonly Group[]) => {
  const groupsOf = (key: string): string[] => groups.filter((group) => belongsTo(key, group)).map(({ title }) => title);
  expect(keys.filter((key) => groupsOf(key).length !== 1)).toEqual([]);
  const members = groups.flatMap((group) => group.members);
  expect(members.filter((member) => !keys.some((key) => belongsTo(key, { title: '', members: [member] })))).toEqual([]);
});

test('the ten examples are valid', () => {
  expect(ten).toHaveLength(10);
  for (const [key, value] of ten) expect(configSchema.parse({ [key]: value })).toEqual({ [key]: value });
});
