import { registerEnumType } from 'type-graphql';
import type { EnumDescriptor } from '../descriptor/descriptor.js';

interface EnumOptions {
  readonly description?: string;
  /** The labels of members that can't be called by them. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A TypeScript enum as the database's enum type `schema.name`: known to GraphQL under `type`, and described for the runtime. */
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
