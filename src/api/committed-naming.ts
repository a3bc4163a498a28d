import { namingOptionsOf, type ModelOptions } from '@tablewright/runtime/model';
import { ts } from 'ts-morph';

/**
 * The options that generated code was named by, as its index.ts says them; undefined where the text
 * says none. Pure.
 * @param text of `src/generated/index.ts`
 */
export function namingIn(text: string): ModelOptions | undefined {
  const source = ts.createSourceFile('index.ts', text, ts.ScriptTarget.Latest);
  const found = { naming: undefined as unknown };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && nameOf(node.name) === 'naming') found.naming ??= valueOf(node.initializer);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  // The generator wrote it, so it has the form of the options.
  return typeof found.naming === 'object' && found.naming !== null ? namingOptionsOf(found.naming) : undefined;
}

/**
 * The value of a literal; undefined for other expressions, such as a call that a user has written.
 */
function valueOf(node: ts.Expression): unknown {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  return Object.fromEntries(
    node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) ? [[nameOf(property.name), valueOf(property.initializer)] as const] : [],
    ),
  );
}

const nameOf = (name: ts.PropertyName): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : '';
