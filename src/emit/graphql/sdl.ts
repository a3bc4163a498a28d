import { Kind, print } from 'graphql';
import {
  argumentsOf,
  type ClassDefinition,
  type Definition,
  type FieldDefinition,
  type QueryDefinition,
  type ScalarDefinition,
} from '@tablewright/runtime/model';

/**
 * The schema definition language of a set of types, exactly as `printSchema` of graphql-js writes
 * it. Types that no root field leads to are missing.
 */
export function printDefinitions(
  definitions: readonly Definition[],
  queries: readonly QueryDefinition[],
  mutations: readonly QueryDefinition[],
  subscriptions: readonly QueryDefinition[],
): string {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const reachable = reach(byName, [...queries, ...mutations, ...subscriptions]);
  const root = (name: string, fields: readonly QueryDefinition[]): readonly string[] => {
    const lines = fields.map((field) => outputField(field, [...field.inline, ...argumentsOf(field)]));
    return fields.length === 0 ? [] : [block(`type ${name}`, lines)];
  };
  const types = definitions.filter((definition) => reachable.has(definition.name)).flatMap(printDefinition);
  return [
    ...root('Query', queries),
    ...root('Mutation', mutations),
    ...root('Subscription', subscriptions),
    ...types,
  ].join('\n\n');
}

function printDefinition(definition: Definition): readonly string[] {
  const comment = describe(definition.description, '', true);
  switch (definition.kind) {
    case 'scalar':
      return [`${comment}scalar ${definition.name}${specification(definition)}`];
    case 'enum':
      return [
        comment +
          block(
            `enum ${definition.name}`,
            definition.values.map((value) => [value, '']),
          ),
      ];
    case 'input':
      return [
        comment +
          block(
            `input ${definition.name}`,
            definition.fields.map((field) => [`${field.name}: ${typeText(field)}`, field.description]),
          ),
      ];
    case 'object':
    case 'interface':
      return [
        comment +
          block(
            `${definition.kind === 'object' ? 'type' : 'interface'} ${definition.name}${implemented(definition)}`,
            definition.fields.map((field) => outputField(field, argumentsOf(field))),
          ),
      ];
  }
}

const implemented = ({ interfaces = [] }: ClassDefinition): string =>
  interfaces.length === 0 ? '' : ` implements ${interfaces.join(' & ')}`;

function specification({ specifiedBy }: ScalarDefinition): string {
  return specifiedBy === undefined ? '' : ` @specifiedBy(url: ${JSON.stringify(specifiedBy)})`;
}

type PrintedField = readonly [text: string, description: string | undefined];

function outputField(field: FieldDefinition, args: readonly FieldDefinition[]): PrintedField {
  return [`${field.name}${argumentList(args)}: ${typeText(field)}`, field.description];
}

/** Arguments on one line; on separate lines if at least one has a description. */
function argumentList(args: readonly FieldDefinition[]): string {
  if (args.length === 0) return '';
  const texts = args.map((argument) => `${argument.name}: ${typeText(argument)}`);
  if (args.every(({ description = '' }) => description === '')) return `(${texts.join(', ')})`;
  const lines = args.map(
    ({ description = '' }, at) => `${describe(description, '    ', at === 0)}    ${texts[at] ?? ''}`,
  );
  return `(\n${lines.join('\n')}\n  )`;
}

function block(head: string, fields: readonly PrintedField[]): string {
  const lines = fields.map(([text, comment = ''], at) => `${describe(comment, '  ', at === 0)}  ${text}`);
  return `${head} {\n${lines.join('\n')}\n}`;
}

/** `[[T]!]!`. TypeGraphQL makes inner lists and items nullable together. */
function typeText({ type, depth, nullable, nullableItems }: FieldDefinition): string {
  let text = type;
  for (let at = 0; at < depth; at += 1) text = nullableItems ? `[${text}]` : `[${text}!]`;
  return nullable ? text : `${text}!`;
}

function describe(text: string, indentation: string, first: boolean): string {
  if (text === '') return '';
  const literal = print({ kind: Kind.STRING, value: text, block: true });
  const prefix = indentation !== '' && !first ? `\n${indentation}` : indentation;
  return `${prefix}${literal.replace(/\n/g, `\n${indentation}`)}\n`;
}

function reach(byName: ReadonlyMap<string, Definition>, roots: readonly QueryDefinition[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting: FieldDefinition[] = roots.flatMap((field) => [field, ...field.inline]);
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    waiting.push(...argumentsOf(field));
    if (seen.has(field.type)) continue;
    seen.add(field.type);
    const definition = byName.get(field.type);
    if (definition !== undefined && 'fields' in definition) waiting.push(...definition.fields);
  }
  return seen;
}
