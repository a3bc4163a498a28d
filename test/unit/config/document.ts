import { acceptedSetting, generatorKeys } from '../../../src/config/schema.js';
import { environmentName, settingDefinitions, type SettingDefinition } from '../../../runtime/src/settings/settings.js';
import { belongsTo, type Group, generatorGroups, settingGroups } from './groups.js';
import { ten } from './ten.js';

const introduction = `# Configuration

<!-- Made from runtime/src/settings/settings.ts and src/config/schema.ts: run \`UPDATE_DOCS=1 npm test\` after changing them. -->

Everything has a default: \`tablewright generate --url … --out server\` needs no file. The members of a project share the configuration in a file.
It is called \`tablewright.config.ts\`, \`.js\`, \`.json\` or \`.yaml\`, and is in the folder where the command runs or in the project's folder;
\`--config\` names another file.

\`\`\`ts
import { defineConfig } from 'tablewright';

export default defineConfig({
  schemas: ['kanban', 'shop'],
  exclude: ['kanban.internal_*', 'shop.customers.password_hash'],
  rename: { 'kanban.issues': { name: 'Issue', columns: { story_points: 'storyPoints' } } },
  'app.max-rows': 100,
});
\`\`\`

A flag overrides the environment, the environment overrides the file, the file overrides the default. A key that is not in these tables is an
error that names the nearest key.

The environment includes the files \`.env.local\` and \`.env\` of the working directory of \`tablewright\` or the server, and for
\`tablewright\` those of the project's folder; with \`NODE_ENV=production\` also \`.env.production.local\` and \`.env.production\`. The first file that
names a variable wins. No file overrides the environment itself, even if the two use different names of a setting. An empty variable counts as not there. If its setting restricts, such as \`APP_SCHEMAS\` or \`APP_SECURITY_JWT_ENABLED\`, it is an error: without a value more would be served.
`;

const first = `
## The ten that matter first

| key | why | example |
| --- | --- | ------- |
`;

const generator = `
## What is generated
`;

const generatorHead = `
| key | takes | |
| --- | ----- | --- |
`;

const server = `
## The server

These keys are settings of the generated server. Given in the file, they are written into \`src/generated/settings.ts\` and are the server's
defaults; its environment overrides them. Keys marked _secret_ are never written to a file, a log or an error.
`;

const serverHead = `
| key | environment | takes | default | |
| --- | ----------- | ----- | ------- | --- |
`;

/** The text of docs/configuration.md, before Prettier aligns its tables. */
export function documentConfiguration(): string {
  const examples = ten.map(([key, value, why]) => row(code(key), why, code(exampleOf(key, value))));
  const keys = Object.entries(generatorKeys).map(([key, { accepted, description }]): Entry => ({
    key,
    text: row(code(key), accepted, description),
  }));
  const settings = Object.entries<SettingDefinition>(settingDefinitions).map(([key, definition]): Entry => ({
    key,
    text: row(
      code(key),
      [...new Set([...(definition.environment ?? []), environmentName(key)])].map(code).join(' '),
      acceptedSetting(definition),
      shown(definition.default),
      definition.secret === true ? `${definition.description} _Secret._` : definition.description,
    ),
  }));
  return [
    introduction,
    first,
    ...examples,
    generator,
    ...tables(generatorGroups, generatorHead, keys),
    server,
    ...tables(settingGroups, serverHead, settings),
  ].join('');
}

interface Entry {
  readonly key: string;
  readonly text: string;
}

/** A heading and a table for each group. */
const tables = (groups: readonly Group[], head: string, entries: readonly Entry[]): string[] =>
  groups.flatMap((group) => [
    `\n### ${group.title}\n${head}`,
    ...entries.filter(({ key }) => belongsTo(key, group)).map(({ text }) => text),
  ]);

/** As in the file, or as in the environment where the value is a secret. */
function exampleOf(key: string, value: unknown): string {
  const definition: SettingDefinition | undefined = Object.entries<SettingDefinition>(settingDefinitions).find(
    ([name]) => name === key,
  )?.[1];
  if (definition?.secret === true) return `${definition.environment?.[0] ?? environmentName(key)}=${String(value)}`;
  return `${/^\w+$/.test(key) ? key : `'${key}'`}: ${JSON.stringify(value).replaceAll('"', "'")}`;
}

const code = (text: string): string => `\`${text}\``;

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;

function shown(value: SettingDefinition['default']): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return code(String(value));
  return code(
    value.length === 0
      ? 'none'
      : value.map((each) => (typeof each === 'object' ? JSON.stringify(each) : each)).join(','),
  );
}
