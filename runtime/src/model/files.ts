import { fingerprintOf, legalName } from './names.js';

/**
 * Names that Windows reserves, with any extension:
 * https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
const devices = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
/** Folders of src/generated that are ours, and those that compilers and version control skip. */
const takenFolders: ReadonlySet<string> = new Set(['shared', 'runtime', 'node_modules', 'dist', 'coverage', 'build']);
const longest = 80;

/**
 * A file name that is valid and unique on every file system: the database name where it
 * is plain lower-case ASCII, otherwise a readable rest of it and a hash.
 */
export function fileName(name: string): string {
  if (/^[a-z0-9][a-z0-9_-]*$/.test(name) && !devices.test(name) && name.length <= longest) return name;
  const readable = legalName(name)
    .toLowerCase()
    .replace(/^_+/, '')
    .slice(0, longest - 10);
  return `${readable}-${fingerprintOf(name, 8)}`.replace(/^-/, '');
}

/** The folder of a schema. */
export function folderName(schema: string): string {
  const name = fileName(schema);
  return takenFolders.has(name) ? `${name}-${fingerprintOf(schema, 8)}` : name;
}

const keywords: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if implements import in instanceof interface let new null package private protected public return static super switch this ' +
    'throw true try typeof var void while with yield arguments eval async of undefined NaN Infinity'
  ).split(' '),
);

/** A legal GraphQL name as the name of a constant. */
export function identifier(name: string): string {
  return keywords.has(name) ? `${name}_` : name;
}
