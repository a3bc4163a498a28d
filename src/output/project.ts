import { basename, join, resolve } from 'node:path';
import type { Dialect, ModelOptions, Names } from '@tablewright/runtime/model';
import type { DialectPackage } from '../dialects/dialect.js';
import { dialects } from '../dialects/index.js';
import { TablewrightError } from '../errors.js';
import { diskFileSystem, type FileSystem } from './file-system.js';
import { listFolderTree } from './guard.js';

/** The values of the placeholders `{{…}}` in the project's templates. */
export interface ProjectValues {
  /** The package's name. */
  readonly name: string;
  /** The specification by which the project asks for the generator. */
  readonly generator: string;
  /** The specification by which the project asks for the runtime. */
  readonly runtime: string;
  /** The specification by which the project asks for the console. */
  readonly console: string;
  /** The schemas to generate from, when they were chosen. */
  readonly schemas?: readonly string[] | undefined;
  /** The rules of names, where others than the contract's were chosen. */
  readonly names?: Names | undefined;
  /** The types that the configuration gives to columns. */
  readonly types?: ModelOptions['types'];
  /**
   * Which kind of database the server speaks with: the project depends on the driver of that one
   * alone.
   */
  readonly dialect?: Dialect | undefined;
  /** Where the configuration has the server take changes of rows from. */
  readonly changes?: string | undefined;
  /** Whether the configuration limits rates. */
  readonly rates?: boolean;
  /** Whether the configuration serves agents. */
  readonly agents?: boolean;
  /**
   * The way from the project to a configuration file that is not in it. Then the project gets none
   * of its own.
   */
  readonly configuration?: string | undefined;
}

/** The configuration file a project begins with. */
const ownConfiguration = 'tablewright.config.ts';

/** What a server with `app.limits.rates` counts by. */
const ratesPackage: DialectPackage = { name: 'rate-limiter-flexible' };

/** What a server with `app.mcp` speaks to agents by. */
const agentsPackage: DialectPackage = { name: '@modelcontextprotocol/sdk' };

/** Reads a folder of the package's own files, with all below it: path → text. */
export async function readTemplates(
  folder: string,
  fileSystem: FileSystem = diskFileSystem,
): Promise<ReadonlyMap<string, string>> {
  const { files } = await listFolderTree(folder, fileSystem);
  const entries = await Promise.all(
    [...files].map(async (path) => [path, (await fileSystem.read(join(folder, path))) ?? ''] as const),
  );
  if (entries.length === 0) {
    throw new TablewrightError(
      'INTERNAL',
      'The package tablewright is incomplete: its templates are missing.',
      'Install it again.',
    );
  }
  return new Map(entries);
}

/**
 * The files a new project starts with, from `templates/project`: its owner's from then on. A
 * leading `_` in a template's name stands for a dot: npm leaves `.gitignore` out of every package.
 */
export function renderProject(
  templates: ReadonlyMap<string, string>,
  values: ProjectValues,
): ReadonlyMap<string, string> {
  const { dialect = 'postgres', configuration, changes, rates, agents } = values;
  const { address, packages } = dialects[dialect];
  const needed = [
    ...packages.filter((each) => each.changes === undefined || each.changes === changes),
    ...(rates === true ? [ratesPackage] : []),
    ...(agents === true ? [agentsPackage] : []),
  ];
  const placeholders: Readonly<Record<string, string>> = {
    ...address,
    name: values.name,
    generator: values.generator,
    runtime: values.runtime,
    console: values.console,
    schemas: (values.schemas ?? []).map(singleQuoted).join(', '),
    names: namesText(values.names ?? {}),
    types: typesText(values.types ?? {}),
  };
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (written, key: string) => placeholders[key] ?? written);
  return new Map(
    [...templates]
      .filter(([path]) => configuration === undefined || path !== ownConfiguration)
      .map(([path, text]) => [
        path.replace(/(^|\/)_/g, '$1.'),
        fill(withConfiguration(withoutOthers(withoutUnchosen(text, values), needed), configuration)),
      ]),
  );
}

/** The project's scripts name a configuration file that is elsewhere. */
function withConfiguration(text: string, path: string | undefined): string {
  if (path === undefined) return text;
  return text.replace(/"(tablewright (?:generate|check|dev))"/g, (_, command: string) =>
    JSON.stringify(`${command} --config ${path}`),
  );
}

/**
 * A package name npm accepts, from the folder's name. Source: npm documentation, package.json
 * "name".
 */
export function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, 214);
  // A project of that name could not depend on the generator.
  return name === '' || name === 'tablewright' || name === 'node_modules' ? 'data-server' : name;
}

/**
 * The template's package.json has a line for each package that only some projects need.
 */
function withoutOthers(text: string, needed: readonly DialectPackage[]): string {
  const all = [...Object.values(dialects).flatMap(({ packages }) => packages), ratesPackage, agentsPackage];
  const others = all.filter((each) => !needed.includes(each));
  return others.reduce((left, { name }) => left.replace(new RegExp(`^ +"${name}": "[^"]*",\\n`, 'm'), ''), text);
}

/**
 * A value that was not chosen has its default, and no line: every schema is served, names are the
 * contract's, and types the database's.
 */
const withoutUnchosen = (text: string, values: ProjectValues): string =>
  (['schemas', 'names', 'types'] as const)
    .filter((key) => Object.keys(values[key] ?? {}).length === 0)
    .reduce((left, key) => left.replace(new RegExp(`^.*\\{\\{${key}\\}\\}.*\\n`, 'gm'), ''), text);

/** `{ columns: 'camel', relations: 'simple' }` */
const namesText = (names: Names): string =>
  `{ ${Object.entries<string>({ ...names })
    .map(([rule, value]) => `${rule}: ${singleQuoted(value)}`)
    .join(', ')} }`;

/** `{ 'tinyint(1)': 'boolean' }` */
const typesText = (types: NonNullable<ModelOptions['types']>): string =>
  `{ ${Object.entries(types)
    .map(([name, type]) => `${singleQuoted(name)}: ${singleQuoted(type)}`)
    .join(', ')} }`;

/** As Prettier would write it in TypeScript. */
const singleQuoted = (text: string): string => {
  const json = JSON.stringify(text).slice(1, -1);
  return text.includes("'") ? `"${json}"` : `'${json.replaceAll('\\"', '"')}'`;
};
