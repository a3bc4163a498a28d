import ts from 'typescript';

/** Kinds of nodes that are code by themselves, besides statements. */
const expressions = new Set([ts.SyntaxKind.PropertyDeclaration, ts.SyntaxKind.VariableDeclaration]);

/** Statements that contain code, or only name it. */
const containers = new Set([
  ts.SyntaxKind.Block,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.EmptyStatement,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.ModuleDeclaration,
  ts.SyntaxKind.TryStatement,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.VariableStatement,
]);

/** The numbers of the lines on which code begins: a statement, an initial value, an arrow function's value. */
export function codeLines(text, path) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = new Set();
  const add = (node) => lines.add(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
  const visit = (node) => {
    if (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) return;
    if (expressions.has(node.kind) ? node.initializer !== undefined : isCode(node)) add(node);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) add(node.body);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...lines].sort((one, other) => one - other);
}

const isCode = ({ kind }) =>
  kind >= ts.SyntaxKind.FirstStatement && kind <= ts.SyntaxKind.LastStatement
    ? !containers.has(kind)
    : kind === ts.SyntaxKind.ExportAssignment;

/** Line numbers as a text: `3-5, 9`. */
export function describeLines(lines) {
  const ranges = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${String(from)}-${String(to)}`)).join(', ');
}
