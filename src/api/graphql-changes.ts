import {
  buildASTSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  type DangerousChange,
} from 'graphql';
import type { Severity } from './change.js';

/** A difference between two schemas. */
export interface GraphqlChange {
  readonly severity: Severity;
  readonly code: string;
  readonly description: string;
  /**
   * The type it is about, and the field, argument's field or value; undefined where the description
   * names none.
   */
  readonly type: string | undefined;
  readonly member: string | undefined;
  /** Whether the new schema has the name, and not the old one. */
  readonly added: boolean;
}

/**
 * Makes a schema of generated SDL: it was valid when it was written. An empty text has no types.
 */
export const schemaOf = (text: string): GraphQLSchema =>
  buildASTSchema(/^\s*(#.*\s*)*$/.test(text) ? { kind: Kind.DOCUMENT, definitions: [] } : parse(text), {
    assumeValid: true,
  });

/**
 * Breaking and dangerous changes are those of graphql-js, by its own rules; new fields of objects
 * are safe, and so is an interface that is new itself: no document can have asked for it.
 */
export function compareSchemas(old: GraphQLSchema, now: GraphQLSchema): readonly GraphqlChange[] {
  const [before, after] = [withRoots(old), withRoots(now)];
  const found = (severity: Severity, changes: ReturnType<typeof findBreakingChanges>): readonly GraphqlChange[] =>
    changes.map(({ type, description }) => ({ severity, code: type, description, ...placeOf(description) }));
  return [
    ...found('breaking', findBreakingChanges(before, after)),
    ...findDangerousChanges(before, after).map((change): GraphqlChange => ({
      severity: isOfNewInterface(change, before) ? 'safe' : 'dangerous',
      code: change.type,
      description: change.description,
      ...placeOf(change.description),
    })),
    ...addedFields(before, after),
  ];
}

/**
 * The same with all root types, perhaps without fields: when the first or the last field of one
 * comes or goes, the change is about the field.
 */
function withRoots(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  const root = (name: string): GraphQLObjectType => new GraphQLObjectType({ name, fields: {} });
  return new GraphQLSchema({
    ...config,
    query: config.query ?? root('Query'),
    mutation: config.mutation ?? root('Mutation'),
    subscription: config.subscription ?? root('Subscription'),
  });
}

/** `Node added to interfaces implemented by KanbanIssues.` */
const isOfNewInterface = ({ type, description }: DangerousChange, before: GraphQLSchema): boolean =>
  type === DangerousChangeType.IMPLEMENTED_INTERFACE_ADDED &&
  before.getType(/^\w+/.exec(description)?.[0] ?? '') === undefined;

function addedFields(before: GraphQLSchema, after: GraphQLSchema): readonly GraphqlChange[] {
  return Object.values(after.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const old = before.getType(type.name);
    // The fields of a new type come with it, through a new field that leads there.
    if (!isObjectType(old)) return [];
    const known = old.getFields();
    return Object.keys(type.getFields())
      .filter((name) => known[name] === undefined)
      .map((member): GraphqlChange => {
        const description = `${type.name}.${member} was added.`;
        return { severity: 'safe', code: 'FIELD_ADDED', description, type: type.name, member, added: true };
      });
  });
}

type Place = Pick<GraphqlChange, 'type' | 'member' | 'added'>;

/** The sentences of graphql-js that do not begin with `Type` or `Type.member`. */
const sentences: readonly (readonly [pattern: RegExp, added: boolean])[] = [
  [/^(?:A required|An optional) field (?<member>\w+) on input type (?<type>\w+) was added/, true],
  [/^(?:A required|An optional) arg \w+ on (?<type>\w+)\.(?<member>\w+) was added/, false],
  [/^\w+ added to interfaces implemented by (?<type>\w+)/, false],
  [/^(?<member>\w+) was added to enum type (?<type>\w+)/, true],
  [/^(?<member>\w+) was removed from enum type (?<type>\w+)/, false],
  [/^(?:Standard scalar )?(?<type>\w+)(?:\.(?<member>\w+))?/, false],
];

/** graphql-js names the changed object only in the text of a change. */
function placeOf(description: string): Place {
  for (const [pattern, added] of sentences) {
    const groups = pattern.exec(description)?.groups;
    if (groups !== undefined) return { type: groups['type'], member: groups['member'], added };
  }
  return { type: undefined, member: undefined, added: false };
}
