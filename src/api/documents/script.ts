import type { DocumentNode } from 'graphql';
import { ts } from 'ts-morph';
import { parseText } from './parse.js';

/** A GraphQL text in a script: between its backticks. */
export interface Template {
  readonly text: string;
  /** Where the text begins in the file. */
  readonly start: number;
}

const tags: ReadonlySet<string> = new Set(['gql', 'graphql']);

/**
 * The GraphQL documents of a TypeScript or JavaScript file: templates with the tag or function gql
 * or graphql, or with the comment GraphQL in front. A substitution becomes spaces: it usually adds
 * a fragment of another template.
 */
export function templatesOf(file: string, text: string): readonly Template[] {
  const script = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kindOf(file));
  const found: Template[] = [];
  const visit = (node: ts.Node): void => {
    const template = graphqlTemplate(node, text);
    if (template !== undefined) found.push(blanked(template, text));
    ts.forEachChild(node, visit);
  };
  visit(script);
  return found;
}

/** Parses them, each with its place in the file. */
export function documentsOfScript(file: string, text: string): readonly DocumentNode[] {
  return templatesOf(file, text)
    .filter((template) => template.text.trim() !== '')
    .map((template) => {
      const before = text.slice(0, template.start).split('\n');
      return parseText(template.text, file, before.length, (before.at(-1) ?? '').length + 1);
    });
}

const kindOf = (file: string): ts.ScriptKind =>
  /\.[cm]?ts$/.test(file) ? ts.ScriptKind.TS : file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;

function graphqlTemplate(node: ts.Node, text: string): ts.TemplateLiteral | undefined {
  if (ts.isTaggedTemplateExpression(node)) return isTag(node.tag) ? node.template : undefined;
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    return first !== undefined && ts.isTemplateLiteral(first) && isTag(node.expression) ? first : undefined;
  }
  if (!ts.isTemplateLiteral(node)) return undefined;
  return /\/\*\s*GraphQL\s*\*\/\s*$/.test(text.slice(node.getFullStart(), node.getStart())) ? node : undefined;
}

const isTag = (tag: ts.Expression): boolean => ts.isIdentifier(tag) && tags.has(tag.text);

function blanked(template: ts.TemplateLiteral, text: string): Template {
  const start = template.getStart() + 1;
  const whole = text.slice(start, template.getEnd() - 1);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { text: whole, start };
  let written = whole;
  for (const span of template.templateSpans) {
    const [from, to] = [span.expression.getFullStart() - 2 - start, span.literal.getStart() + 1 - start];
    written = written.slice(0, from) + whole.slice(from, to).replace(/[^\n]/g, ' ') + written.slice(to);
  }
  return { text: written, start };
}
