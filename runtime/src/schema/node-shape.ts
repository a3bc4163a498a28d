import type { TableDescriptor } from '../descriptor/descriptor.js';
import { isNode, nodeFields, nodeType } from '../descriptor/node-id.js';
import { described, optional, required, type FieldShape, type TypeShape } from './type-shape.js';

/**
 * Relay's object identification: the interface of rows with a global identifier, and the root
 * fields that find them by it.
 * Source: https://relay.dev/docs/guides/graphql-server-specification/#object-identification
 */

/** The arguments of `node` and `nodes`. */
export const nodeArguments = { one: 'id', many: 'ids' } as const;

/** Largest number of rows that `nodes` finds. */
export const maxNodes = 100;

/** A response key for one row of `nodes`. Its colon makes it impossible in a client's document. */
export const itemKey = (as: string, at: number): string => `${as}:${String(at)}`;

/** The field of every row with a global identifier. */
export const nodeIdField = (name: string): FieldShape =>
  described(required(name, 'ID'), 'Identifies the row among those of all types. Opaque.');

/** The interface; none if no row has a global identifier. */
export function nodeInterface(tables: readonly TableDescriptor[]): readonly TypeShape[] {
  const name = tables.find(isNode)?.nodeId;
  if (name === undefined) return [];
  const description = 'A row that can be found by its global identifier.';
  return [{ kind: 'interface', name: nodeType, description, fields: () => [nodeIdField(name)] }];
}

/** The root fields of Query that find rows by their global identifiers. */
export const nodeRoots = (): readonly FieldShape[] => [
  {
    ...described(optional(nodeFields.one, nodeType), 'The row with this global identifier; null if there is none.'),
    parameters: () => [described(required(nodeArguments.one, 'ID'), 'The global identifier of a row.')],
  },
  {
    ...described(
      {
        name: nodeFields.many,
        type: nodeType,
        depth: 1,
        nullable: false,
        nullableItems: true,
      },
      `The rows with these global identifiers (at most ${String(maxNodes)}), in the same order; null for an identifier without a row.`,
    ),
    parameters: () => [
      described(
        { name: nodeArguments.many, type: 'ID', depth: 1, nullable: false, nullableItems: false },
        'Global identifiers of rows.',
      ),
    ],
  },
];
