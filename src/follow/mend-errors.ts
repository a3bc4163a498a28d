import { Node, ts, type Identifier, type SourceFile } from 'ts-morph';
import { edited, type Edit, type Left } from './edits.js';
import type { NewNames } from './names.js';

/** TypeScript errors of a file, each by a key that does not depend on its line number. */
export function errorsOf(
  file: SourceFile,
): ReadonlyMap<string, { readonly start: number; readonly length: number; readonly message: string }> {
  const found = new Map<string, { start: number; length: number; message: string }>();
  for (const diagnostic of file.getPreEmitDiagnostics()) {
    const text = diagnostic.getMessageText();
    const message = typeof text === 'string' ? text : text.getMessageText();
    const [start, length] = [diagnostic.getStart() ?? 0, diagnostic.getLength() ?? 0];
    const kind = `${String(diagnostic.getCode())} ${message} ${file.getFullText().slice(start, start + length)}`;
    // Two calls of `select` may fail with one message.
    let key = kind;
    for (let other = 2; found.has(key); other += 1) key = `${kind} ${String(other)}`;
    found.set(key, { start, length, message });
  }
  return found;
}

/**
 * Renames places that the language service misses, such as columns in mapped types and in texts:
 * where TypeScript finds a new error on an old name, the new name is tried. The text of which
 * TypeScript finds the least to say stays.
 * @returns the remaining errors
 */
export function mendErrors(
  files: readonly SourceFile[],
  known: ReadonlyMap<SourceFile, ReadonlySet<string>>,
  names: NewNames,
  pathOf: (file: SourceFile) => string,
): readonly Left[] {
  const words = wordsOf(names);
  return files.flatMap((file) => {
    const isNew = (key: string): boolean => known.get(file)?.has(key) !== true;
    const newErrors = () => [...errorsOf(file)].filter(([key]) => isNew(key)).map(([, error]) => error);
    let errors = newErrors();
    let best = { text: file.getFullText(), errors };
    // Fixing the error of a line may reveal another one, so that a round may end with as many.
    for (let round = 0; round < maxRounds && errors.length > 0; round += 1) {
      const edits = distinct(errors.flatMap(({ start, length }) => editsAt(file, start, length, words)));
      if (edits.length === 0) break;
      file.replaceWithText(edited(file.getFullText(), edits));
      errors = newErrors();
      if (errors.length < best.errors.length) best = { text: file.getFullText(), errors };
    }
    if (file.getFullText() !== best.text) file.replaceWithText(best.text);
    return best.errors.map(({ start, message }) => ({
      file: pathOf(file),
      line: file.getLineAndColumnAtPos(start).line,
      message,
    }));
  });
}

const maxRounds = 5;

/**
 * New names by old ones, of columns, tables, labels and types. A name with two new ones is not
 * tried.
 */
function wordsOf({ tables, modules, enums }: NewNames): ReadonlyMap<string, string> {
  const words = new Map<string, string | undefined>();
  const add = ({ from, to }: { readonly from: string; readonly to: string }): void => {
    if (from !== to) words.set(from, words.has(from) && words.get(from) !== to ? undefined : to);
  };
  for (const table of tables) [table, ...table.columns].forEach(add);
  for (const { exports, members } of modules) [...exports, ...members].forEach(add);
  for (const { type, values } of enums) [type, ...values].forEach(add);
  return new Map([...words].flatMap(([from, to]) => (to === undefined ? [] : [[from, to]])));
}

/**
 * Identifiers and texts at an error that are an old name, or `table.column` and `column as name` of
 * one.
 */
function editsAt(file: SourceFile, start: number, length: number, words: ReadonlyMap<string, string>): readonly Edit[] {
  const edits: Edit[] = [];
  const [from, to] = withArguments(file, start, length);
  file.forEachDescendant((node, traversal) => {
    if (node.getEnd() <= from || node.getStart() >= to) {
      traversal.skip();
      return;
    }
    const inside = node.getStart() >= from && node.getEnd() <= to;
    if (inside && Node.isIdentifier(node)) edits.push(...identifierEdits(node, words));
    if (inside && (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node))) {
      const by = newText(node.getLiteralText(), words);
      if (by !== undefined) edits.push({ start: node.getStart() + 1, end: node.getEnd() - 1, by });
    }
  });
  return edits;
}

/**
 * TypeScript reports an error about overloads at the function's name, although it is in the
 * arguments.
 */
function withArguments(file: SourceFile, start: number, length: number): readonly [from: number, to: number] {
  const place = [start, start + Math.max(length, 1)] as const;
  const call = file.getDescendantAtPos(start)?.getFirstAncestor(Node.isCallExpression);
  return call?.getExpression().getEnd() === place[1] ? [start, call.getEnd()] : place;
}

function identifierEdits(node: Identifier, words: ReadonlyMap<string, string>): readonly Edit[] {
  const to = words.get(node.getText());
  if (to === undefined || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(to)) return [];
  const parent = node.getParent();
  const [start, end] = [node.getStart(), node.getEnd()];
  const isShort =
    Node.isShorthandPropertyAssignment(parent) ||
    (Node.isBindingElement(parent) &&
      parent.getPropertyNameNode() === undefined &&
      parent.getParent().getKind() === ts.SyntaxKind.ObjectBindingPattern);
  // The variable keeps its name.
  if (isShort) return [{ start, end: start, by: `${to}: ` }];
  return [{ start, end, by: to }];
}

/** Kysely's forms: `title`, `issues.title`, `kanban.issues as i`. */
function newText(text: string, words: ReadonlyMap<string, string>): string | undefined {
  const whole = words.get(text);
  if (whole !== undefined) return whole;
  const [, name = '', alias = ''] = /^(.*?)( as \w+)?$/s.exec(text) ?? [];
  const dot = name.lastIndexOf('.');
  const owner = name.slice(0, Math.max(dot, 0));
  const parts = [words.get(name) ?? words.get(owner) ?? owner, words.get(name.slice(dot + 1)) ?? name.slice(dot + 1)];
  const written = words.has(name) ? (words.get(name) ?? name) : dot === -1 ? parts[1] : parts.join('.');
  return written === name ? undefined : `${written ?? name}${alias}`;
}

function distinct(edits: readonly Edit[]): readonly Edit[] {
  return [...new Map(edits.map((edit) => [edit.start, edit])).values()];
}
