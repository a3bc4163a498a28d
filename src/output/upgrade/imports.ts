import { posix } from 'node:path';
import type { ts as typescript } from 'ts-morph';
import { copiedFolder, entryOf, formerSetup, setupModule } from './counterparts.js';

/** An import of the copied runtime that nothing public takes the place of. */
export interface Leftover {
  readonly path: string;
  readonly line: number;
  /** The module, below `src/generated/runtime`. */
  readonly module: string;
  /** The imported names; empty for the whole module. */
  readonly names: readonly string[];
}

export interface MovedImports {
  readonly text: string;
  readonly left: readonly Leftover[];
}

/** A part of the text, and what takes its place. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Names a module by a text: `import … from '…'`, `export … from '…'`, `import('…')`. */
interface Reference {
  readonly literal: typescript.StringLiteral;
  /** Undefined: everything, or unknown. */
  readonly names: readonly string[] | undefined;
  /** The whole statement if the module is imported for its side effects. */
  readonly effect: typescript.ImportDeclaration | undefined;
}

/**
 * Lets a file of the project's owner import the package where it imported the copied runtime.
 * `path` is in the project: `src/main.ts`.
 */
export async function moveImports(path: string, text: string): Promise<MovedImports> {
  if (!text.includes('/runtime/')) return { text, left: [] };
  const { ts } = await import('ts-morph');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const left: Leftover[] = [];
  const references = referencesOf(ts, source);
  for (const { literal, names, effect } of references) {
    const module = copiedModule(path, literal.text);
    if (module === undefined) continue;
    const isSetup = effect !== undefined && module === formerSetup.module;
    const entry = isSetup ? setupModule : names === undefined ? undefined : entryOf(module, names);
    if (entry !== undefined) {
      // The quotes are its owner's.
      edits.push({ start: literal.getStart() + 1, end: literal.getEnd() - 1, by: entry });
      if (isSetup) edits.push(...companions(references, text));
    } else {
      const line = source.getLineAndCharacterOfPosition(literal.getStart()).line + 1;
      left.push({ path, line, module, names: names ?? [] });
    }
  }
  return { text: edited(text, edits), left };
}

/** The module below the copied runtime that a specifier means, without its ending. */
function copiedModule(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  return target.startsWith(copiedFolder) ? target.slice(copiedFolder.length).replace(/\.[jt]s$/, '') : undefined;
}

function referencesOf(ts: typeof typescript, source: typescript.SourceFile): readonly Reference[] {
  const found: Reference[] = [];
  const visit = (node: typescript.Node): void => {
    if (ts.isStringLiteral(node)) {
      const { parent } = node;
      if (ts.isImportDeclaration(parent)) {
        const effect = parent.importClause === undefined ? parent : undefined;
        found.push({ literal: node, names: importedNames(ts, parent), effect });
      } else if (ts.isExportDeclaration(parent)) {
        found.push({ literal: node, names: exportedNames(ts, parent), effect: undefined });
      } else if (ts.isLiteralTypeNode(parent) && ts.isImportTypeNode(parent.parent)) {
        const { qualifier } = parent.parent;
        const name = qualifier !== undefined && ts.isIdentifier(qualifier) ? [qualifier.text] : undefined;
        found.push({ literal: node, names: name, effect: undefined });
      } else if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) {
        found.push({ literal: node, names: undefined, effect: undefined });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importedNames(
  ts: typeof typescript,
  { importClause }: typescript.ImportDeclaration,
): readonly string[] | undefined {
  const bindings = importClause?.namedBindings;
  if (importClause?.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return undefined;
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

function exportedNames(
  ts: typeof typescript,
  { exportClause }: typescript.ExportDeclaration,
): readonly string[] | undefined {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return undefined;
  return exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
}

/**
 * Setting up is one import: what was imported beside the copied module for its effect goes, with
 * its line.
 */
function companions(references: readonly Reference[], text: string): readonly Edit[] {
  return references.flatMap(({ literal, effect }) => {
    if (effect === undefined || literal.text !== formerSetup.companion) return [];
    const rest = /^[ \t]*\r?\n/.exec(text.slice(effect.getEnd()))?.[0] ?? '';
    return [{ start: effect.getStart(), end: effect.getEnd() + rest.length, by: '' }];
  });
}

function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, by } of [...edits].sort((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + by + result.slice(end);
  }
  return result;
}
