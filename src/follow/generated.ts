import { posix } from 'node:path';
import { ts } from 'ts-morph';
import { generatedFolder } from '../output/plan.js';

/** The places of generated modules, and their new text. */
export interface GeneratedPaths {
  /** The absolute path of a module, given below `src/generated` and without its end. */
  readonly file: (module: string) => string;
  /** The new text of a module; empty when there is none. */
  readonly newText: (module: string) => string;
}

/**
 * Paths of a project's generated modules. `texts`: the new files, by path below `src/generated`.
 */
export const generatedPaths = (folder: string, texts: ReadonlyMap<string, string>): GeneratedPaths => ({
  file: (module) => posix.join(folder.replaceAll('\\', '/'), generatedFolder, `${module}.ts`),
  newText: (module) => texts.get(`${module}.ts`) ?? '',
});

/** The names that a module's text exports. */
export function parseModule(text: string): readonly string[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    if (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => bound(name));
    }
    const name = 'name' in statement ? (statement.name as ts.Node | undefined) : undefined;
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function bound(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? bound(element.name) : []));
}
