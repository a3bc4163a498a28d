import type { ResolverClass } from '../../descriptor/generated.js';
import type { Registry } from '../../descriptor/registry.js';
import { misconfigured } from '../../errors.js';
import { hasQueries, type SchemaTypes } from '../build.js';
import { LazySchema } from '../lazy-schema.js';
import { refuseCustomNode } from '../nodes.js';
import { mergeCustomTypes, type Refuse } from './merge.js';
import type { CustomParts } from './parts.js';
import type { CustomResolvers } from './resolvers.js';

/** A schema with the user's code. */
export interface CustomSchema {
  /** Undefined where GraphQL has nothing to show. */
  readonly schema: LazySchema | undefined;
  /** Undefined without code of the user's. */
  readonly parts: CustomParts | undefined;
}

/**
 * The schema of a server at its start. Only if there may be code of the user's, TypeGraphQL is
 * loaded.
 * @param checked whether to check the whole schema, which takes time, so that production skips it
 * @throws GeneratingSchemaError if the check finds an error
 * @throws ServerError `misconfigured` for code of the user's that the database does not fit
 */
export async function customSchema(
  types: SchemaTypes,
  registry: Registry,
  generated: readonly ResolverClass[],
  custom: CustomResolvers,
  checked: boolean,
): Promise<CustomSchema> {
  if (!mayHaveCode(custom)) return { schema: schemaOf(types), parts: undefined };
  const { checkSchema, readCustomParts } = await import('./type-graphql.js');
  const parts = readCustomParts(types, generated, custom);
  if (isPlain(parts)) return { schema: schemaOf(types), parts: undefined };
  refuseCustomNode(parts.types, types.tables);
  const refuse: Refuse = (message) => misconfigured(message, 'Change the code, or generate again.');
  const schema = schemaOf(types, { parts, registry, refuse });
  if (checked && schema !== undefined) checkSchema(schema);
  return { schema, parts };
}

/** The user's code that is merged into a schema. */
interface Merged {
  readonly parts: CustomParts;
  readonly registry: Registry;
  readonly refuse: Refuse;
}

/** The schema of these types and the user's code; undefined without queries. */
export function schemaOf(types: SchemaTypes, merged?: Merged): LazySchema | undefined {
  const schema = new LazySchema(types, (from) =>
    merged === undefined ? [] : mergeCustomTypes(from, merged.parts, merged.registry, merged.refuse),
  );
  return hasQueries(types) ? schema : undefined;
}

/** The user's decorators fill TypeGraphQL's store, which belongs to the process. */
const mayHaveCode = ({ resolvers = [], globalMiddlewares = [] }: CustomResolvers): boolean =>
  resolvers.length + globalMiddlewares.length > 0 || 'TypeGraphQLMetadataStorage' in globalThis;

const isPlain = ({ types, fields, middleware, guarded, guardedRoots }: CustomParts): boolean =>
  types.length + fields.length + guarded.size === 0 && middleware === undefined && guardedRoots === undefined;
