import { buildSchema, printSchema } from 'graphql';
import ts from 'typescript';
import { commentLine, commentLines, description, stringLiteral } from '../../../src/emit/source/escape.js';
import { docComment } from '../../../src/emit/source/typescript.js';
import { print } from '../../../src/emit/source/doc.js';
import { header } from '../../../src/emit/source/file.js';

/** Text that tries to break out of its context. */
const hostile = [
  "'",
  '"',
  '`${process.exit()}`',
  '*/ process.exit() /*',
  '\\',
  "\\'",
  'a\nb',
  'a\r\nb',
  'a\u2028b\u2029c',
  '// @ts-ignore',
  '@deprecated',
  '\u202ereversed\u202c',
  '\0\x07\x1b',
  '\ud800',
  '"""',
  '#',
  '🚀 é العربية',
];

const parsed = (source: string): readonly ts.Diagnostic[] =>
  ts.transpileModule(source, { reportDiagnostics: true, compilerOptions: { target: ts.ScriptTarget.ES2022 } })
    .diagnostics ?? [];

describe('escaping', () => {
  it.each(hostile)('a string literal of %j has that value', (text) => {
    const literal = stringLiteral(text);
    expect(parsed(`export const a = ${literal};`)).toEqual([]);
    const file = ts.createSourceFile('a.ts', `(${literal})`, ts.ScriptTarget.ES2022);
    const [statement] = file.statements;
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteral(node)) found.push(node.text);
      ts.forEachChild(node, visit);
    };
    if (statement !== undefined) visit(statement);
    expect(found).toEqual([text]);
  });

  it.each(hostile)('a comment of %j ends where it should', (text) => {
    const source = `${header(`table ${text}`)}\n${print(docComment(text))}export const a = 1;\n`;
    expect(parsed(source)).toEqual([]);
    const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.ES2022);
    expect(file.statements).toHaveLength(1);
    expect(file.statements[0]?.kind).toBe(ts.SyntaxKind.VariableStatement);
  });

  it.each(hostile)('a description of %j comes back from GraphQL as it is', (text) => {
    const shown = description(text);
    const schema = buildSchema(`type Query { a: Int }`);
    const query = schema.getQueryType();
    if (query == null) throw new Error('no query');
    query.description = shown;
    expect(buildSchema(printSchema(schema)).getQueryType()?.description ?? '').toBe(shown);
  });

  it('prefers single quotes, as Prettier does', () => {
    expect([stringLiteral('a'), stringLiteral("it's"), stringLiteral(`'"`)]).toEqual(["'a'", `"it's"`, `'\\'"'`]);
  });

  it('keeps the lines of a comment and trims them', () => {
    expect(commentLines(' one \r\n  two\t\n\n')).toEqual(['one', '  two']);
    expect(commentLines('@a b@c as @d\n @e')).toEqual(['\\@a b@c as @d', ' \\@e']);
    expect(commentLines('Was @deprecated, see @ts-ignore')).toEqual(['Was \\@deprecated, see \\@ts-ignore']);
    expect(commentLine(' one \n two ')).toBe('one two');
    expect(description(null)).toBe('');
  });
});
