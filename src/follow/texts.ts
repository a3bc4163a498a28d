import { Node, type SourceFile } from 'ts-morph';
import { edited, type Edit, type Left } from './edits.js';
import type { GraphqlEdits } from './graphql.js';

/** Finds what to rewrite in a text; undefined when the text is not GraphQL of this schema. */
export type FollowText = (text: string) => GraphqlEdits | undefined;

/** The old name that a text has in it. */
export type Mention = (text: string) => string | undefined;

/** Rewrites the GraphQL in the texts of a script, tagged or not. */
export function followTexts(file: SourceFile, path: string, follow: FollowText): readonly Left[] {
  const edits: Edit[] = [];
  const left: Left[] = [];
  const whole = file.getFullText();
  const report = (at: number, message: string): void => {
    left.push({ file: path, line: file.getLineAndColumnAtPos(at).line, message });
  };
  file.forEachDescendant((node) => {
    const text = textOf(node);
    if (text === undefined) return;
    const start = node.getStart() + 1;
    const found = follow(text);
    if (found === undefined) return;
    edits.push(...found.edits.map((edit) => ({ ...edit, start: start + edit.start, end: start + edit.end })));
    for (const each of found.left) report(start + each.start, each.message);
  });
  if (edits.length > 0) file.replaceWithText(edited(whole, edits));
  return left;
}

/** Texts that have an old name in them, such as SQL and paths: nothing shows what those mean. */
export function mentionsIn(file: SourceFile, path: string, mention: Mention): readonly Left[] {
  return file.getDescendants().flatMap((node) => {
    const text = textOf(node);
    const name = text === undefined ? undefined : mention(text);
    if (name === undefined) return [];
    const { line } = file.getLineAndColumnAtPos(node.getStart());
    return [{ file: path, line, message: `The text has the old name ${name} in it.` }];
  });
}

/**
 * The text between quotes, exactly as in the file; undefined for imports, and for texts with
 * escapes, whose positions differ.
 */
function textOf(node: Node): string | undefined {
  if (Node.isTemplateExpression(node)) return blanked(node.getText().slice(1, -1), node);
  if (!Node.isStringLiteral(node) && !Node.isNoSubstitutionTemplateLiteral(node)) return undefined;
  const parent = node.getParent();
  if (Node.isImportDeclaration(parent) || Node.isExportDeclaration(parent)) return undefined;
  const text = node.getText().slice(1, -1);
  return text.includes('\\') ? undefined : text;
}

/** Substitutions are as many spaces. */
function blanked(text: string, node: Node): string | undefined {
  if (!Node.isTemplateExpression(node) || text.includes('\\')) return undefined;
  const start = node.getStart() + 1;
  let written = text;
  for (const span of node.getTemplateSpans()) {
    const [from, to] = [span.getExpression().getFullStart() - 2 - start, span.getLiteral().getStart() + 1 - start];
    written = written.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, ' ') + written.slice(to);
  }
  return written;
}
