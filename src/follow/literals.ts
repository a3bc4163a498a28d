import { SyntaxKind, type ObjectLiteralExpression, type SourceFile } from 'ts-morph';
import { edited, type Edit, type Left } from './edits.js';
import type { NewNames } from './names.js';

/**
 * Object literals with an old column: `{ ...row, title: row.title.trim() }` is no error to
 * TypeScript when its type is inferred. The property follows where the row that is spread has the
 * new name and not the old one; another one is reported.
 */
export function followLiterals(file: SourceFile, path: string, { tables }: NewNames): readonly Left[] {
  const names = new Map(
    tables.flatMap(({ to: table, columns }) => columns.map(({ from, to }) => [from, { table, to }])),
  );
  if (!file.getFullText().includes('generated/')) return [];
  const edits: Edit[] = [];
  const left: Left[] = [];
  for (const literal of file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)) {
    for (const property of literal.getProperties()) {
      const assignment = property.asKind(SyntaxKind.PropertyAssignment);
      const named = assignment ?? property.asKind(SyntaxKind.ShorthandPropertyAssignment);
      if (named === undefined) continue;
      const name = named.getName();
      const found = names.get(name);
      if (found === undefined) continue;
      const node = named.getNameNode();
      const follows = spreads(literal, name, found.to);
      if (!follows && expects(literal, name)) continue;
      if (!follows) {
        const { line } = file.getLineAndColumnAtPos(node.getStart());
        left.push({ file: path, line, message: `${name} may be the column ${found.table}.${found.to}.` });
      } else if (assignment !== undefined) {
        edits.push({ start: node.getStart(), end: node.getEnd(), by: found.to });
      } else edits.push({ start: node.getStart(), end: node.getStart(), by: `${found.to}: ` });
    }
  }
  if (edits.length > 0) file.replaceWithText(edited(file.getFullText(), edits));
  return left;
}

/** Whether what the literal is given to has such a property: it is another one of that name. */
const expects = (literal: ObjectLiteralExpression, name: string): boolean =>
  literal.getContextualType()?.getProperty(name) !== undefined;

const spreads = (literal: ObjectLiteralExpression, from: string, to: string): boolean =>
  literal.getProperties().some((each) => {
    const type = each.asKind(SyntaxKind.SpreadAssignment)?.getExpression().getType();
    return type?.getProperty(to) !== undefined && type.getProperty(from) === undefined;
  });
