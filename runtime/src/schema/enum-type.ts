import { registerEnumType } from 'type-graphql';
import type { EnumDescriptor } from '../descriptor/descriptor.js';

interface EnumOptions {
  readonly description?: string;
  /** The labels that are not valid as names of members, by member. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Makes a TypeScript enum the database's enum type `schema.name`: registers it with GraphQL as
 * `type`, and returns its descriptor.
 */
export function enumType(
  type: string,
  members: Readonly<Record<string, string>>,
  schema: string,
  name: string,
  { description, labels = {} }: EnumOptions = {},
): EnumDescriptor {
  registerEnumType(members, { name: type, ...(description === undefined ? {} : { description }) });
  const values = Object.values(members).map((member) => {
    const label = Object.hasOwn(labels, member) ? labels[member] : undefined;
    return label === undefined ? { label: member } : { label, name: member };
  });
  return { type, schema, name, values };
}
