import type { ExpressionNode } from 'kysely-codegen/dist/generator/ast/expression-node.js';
import type { TemplateNode } from 'kysely-codegen/dist/generator/ast/template-node.js';
import { group, hardline, ifBroken, indent, join, line, type Doc } from '../source/doc.js';
import { string } from '../source/typescript.js';

/** A type of kysely-codegen, in the layout of Prettier. */
export function typeDoc(node: ExpressionNode): Doc {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'Literal':
      return typeof node.value === 'string' ? string(node.value) : String(node.value);
    case 'InferClause':
      return `infer ${node.name}`;
    case 'RawExpression':
      return node.expression;
    case 'ArrayExpression':
      return isSimple(node.values) ? [typeDoc(node.values), '[]'] : ['(', typeDoc(node.values), ')[]'];
    case 'GenericExpression':
      return [node.name, '<', join(', ', node.args.map(typeDoc)), '>'];
    case 'UnionExpression':
      return join(' | ', node.args.map(typeDoc));
    case 'MappedType':
      return ['{', indent([hardline, '[name in string]?: ', typeDoc(node.value), ' | undefined;']), hardline, '}'];
    case 'ObjectExpression':
      return [
        '{',
        indent(node.properties.map((property) => [hardline, property.key, ': ', typeDoc(property.value), ';'])),
        hardline,
        '}',
      ];
    case 'ExtendsClause':
      return group([
        [typeDoc(node.checkType), ' extends ', typeDoc(node.extendsType)],
        indent([line, '? ', typeDoc(node.trueType), line, ': ', typeDoc(node.falseType)]),
      ]);
  }
}

/** `export type Int8 = …;`, or `export interface Point { … }`, as lint rules ask. */
export function aliasDoc(name: string, node: ExpressionNode | TemplateNode): Doc {
  if (node.type === 'Template') {
    const parameters = node.params.join(', ');
    return group([`export type ${name}<${parameters}> =`, indent([line, typeDoc(node.expression)]), ';']);
  }
  if (node.type === 'ObjectExpression') return [`export interface ${name} `, typeDoc(node)];
  return [`export type ${name} = `, typeDoc(node), ';'];
}

/** A union on one line, or with a line for each member. */
export function unionAlias(name: string, members: readonly Doc[]): Doc {
  const list = group([ifBroken('| '), join([line, '| '], members)]);
  return group([`export type ${name} =`, indent([line, list]), ';']);
}

/** The names that a type refers to. */
export function namesIn(node: ExpressionNode | TemplateNode): readonly string[] {
  switch (node.type) {
    case 'Identifier':
      return [node.name];
    case 'ArrayExpression':
    case 'MappedType':
      return namesIn('values' in node ? node.values : node.value);
    case 'GenericExpression':
      return [node.name, ...node.args.flatMap(namesIn)];
    case 'UnionExpression':
      return node.args.flatMap(namesIn);
    case 'ObjectExpression':
      return node.properties.flatMap((property) => namesIn(property.value));
    case 'ExtendsClause':
      return [node.checkType, node.extendsType, node.trueType, node.falseType].flatMap(namesIn);
    case 'Template':
      return namesIn(node.expression);
    default:
      return [];
  }
}

function isSimple(node: ExpressionNode): boolean {
  return node.type === 'Identifier' || node.type === 'GenericExpression' || node.type === 'ArrayExpression';
}
