import { basename, join, resolve } from 'node:path';
import { TablewrightError } from '../errors.js';
import { diskFileSystem, type FileSystem } from './file-system.js';
import { listFolderTree } from './guard.js';

/** What the placeholders `{{…}}` of the project's templates stand for. */
export interface ProjectValues {
  /** The package's name. */
  readonly name: string;
  /** The specification by which the project asks for the generator. */
  readonly generator: string;
  /** The schemas to generate from, when they were chosen. */
  readonly schemas?: readonly string[] | undefined;
}

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
 * The files a new project starts with, from `templates/project`: its owner's from then on. A leading `_` in a template's
 * name stands for a dot: npm leaves `.gitignore` out of every package.
 */
export function renderProject(
  templates: ReadonlyMap<string, string>,
  values: ProjectValues,
): ReadonlyMap<string, string> {
  const placeholders: Readonly<Record<string, string>> = {
    name: values.name,
    generator: values.generator,
    schemas: (values.schemas ?? []).map(singleQuoted).join(', '),
  };
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (written, key: string) => placeholders[key] ?? written);
  return new Map(
    [...templates].map(([path, text]) => [
      path.replace(/(^|\/)_/g, '$1.'),
      fill(values.schemas === undefined ? withoutSchemas(text) : text),
    ]),
  );
}

/** A package name npm accepts, from the folder's name. Source: npm documentation, package.json "name". */
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

/** Every schema is served unless some were chosen: then no line names any. */
const withoutSchemas = (text: string): string => text.replace(/^.*\{\{schemas\}\}.*\n/gm, '');

/** As Prettier would write it in TypeScript. */
const singleQuoted = (text: string): string => {
  const json = JSON.stringify(text).slice(1, -1);
  return text.includes("'") ? `"${json}"` : `'${json.replaceAll('\\"', '"')}'`;
};
