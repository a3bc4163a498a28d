import type { Node, Project, SourceFile } from 'ts-morph';
import { parseModule, type GeneratedPaths } from './generated.js';
import type { NewName, NewNames } from './names.js';

/**
 * Renames exports of generated code with TypeScript's language service, which also changes imports,
 * property accesses, decorators and types in the user's files. Only names that the user's files
 * contain are renamed, because each takes a moment.
 */
export function renameSymbols(
  project: Project,
  { modules, enums, tables }: NewNames,
  paths: GeneratedPaths,
  own: readonly SourceFile[],
): void {
  const used = (name: string): boolean => own.some((file) => file.getFullText().includes(name));
  for (const { from, to, exports, type, members } of modules) {
    const module = project.getSourceFile(paths.file(from));
    if (module === undefined) continue;
    for (const name of members) {
      if (used(name.from)) renameMember(module.getClass(type)?.getInstanceProperty(name.from), name);
    }
    const exported = new Set(module.getExportedDeclarations().keys());
    const now = new Set(parseModule(paths.newText(to)));
    for (const name of exportNames(exports, exported, now)) {
      if (used(name.from)) renameExport(module, name);
    }
    if (from !== to && now.size > 0) moveImports(own, module, { from, to });
  }
  for (const { module, type, values } of enums) {
    const declaration = project.getSourceFile(paths.file(module))?.getEnum(type.from);
    for (const name of values) {
      if (used(name.from)) renameMember(declaration?.getMember(name.from), name);
    }
    if (type.from !== type.to && used(type.from)) declaration?.rename(type.to);
  }
  renameDatabase(project, tables, paths, used);
}

/** `database.ts`: columns of the interface of each table, and the keys of `Database`. */
function renameDatabase(
  project: Project,
  tables: NewNames['tables'],
  paths: GeneratedPaths,
  used: (name: string) => boolean,
): void {
  const database = project.getSourceFile(paths.file('database'))?.getInterface('Database');
  for (const { from, to, columns } of tables) {
    const key = database?.getProperty(`'${from}'`) ?? database?.getProperty(from);
    const type = key?.getTypeNodeOrThrow().getText();
    const row = type === undefined ? undefined : database?.getSourceFile().getInterface(type);
    for (const name of columns) {
      if (used(name.from)) renameMember(row?.getProperty(name.from), name);
    }
    if (from !== to && used(from)) renameMember(key, { from, to });
  }
}

/** The end of the path is its owner's: `.js`, or none. */
function moveImports(own: readonly SourceFile[], module: SourceFile, { from, to }: NewName): void {
  for (const file of own) {
    for (const each of [...file.getImportDeclarations(), ...file.getExportDeclarations()]) {
      const path = each.getModuleSpecifierValue();
      if (path === undefined || each.getModuleSpecifierSourceFile() !== module) continue;
      const at = path.lastIndexOf(from);
      if (at !== -1) each.setModuleSpecifier(path.slice(0, at) + to + path.slice(at + from.length));
    }
  }
}

interface Renamable {
  getNameNode(): Node;
  rename(name: string, options: { readonly usePrefixAndSuffixText: boolean }): unknown;
}

/**
 * A variable that took its name from the member keeps it: `const { title } = issue` becomes `{
 * headline: title }`.
 */
function renameMember(member: Renamable | undefined, { to }: NewName): void {
  member?.rename(to, { usePrefixAndSuffixText: true });
}

function renameExport(module: SourceFile, { from, to }: NewName): void {
  const [declaration] = module.getExportedDeclarations().get(from) ?? [];
  if (declaration === undefined || !('rename' in declaration) || typeof declaration.rename !== 'function') return;
  (declaration as unknown as Renamable).rename(to, { usePrefixAndSuffixText: false });
}

/**
 * Every export that begins with an old name, or has it behind `create`, `update` or `delete`, and
 * is there under the new one.
 */
function exportNames(
  names: readonly NewName[],
  exported: ReadonlySet<string>,
  now: ReadonlySet<string>,
): readonly NewName[] {
  return [...exported].flatMap((from) => {
    const name = names.find((each) => from.startsWith(each.from) && now.has(each.to + from.slice(each.from.length)));
    return name === undefined ? [] : [{ from, to: name.to + from.slice(name.from.length) }];
  });
}
