import type { GraphQLSchema } from 'graphql';
import type { Catalog } from '../catalog/catalog.js';
import type { TableRoutes } from '../descriptor/generated.js';
import type { Descriptors, Registry } from '../descriptor/registry.js';
import type { RoleLimits } from '../model/role/descriptors-for-role.js';
import type { CustomParts } from '../schema/custom/parts.js';

/** The source of an API: generated code, or a model of the current database. */
export interface ApiSource {
  readonly descriptors: Descriptors;
  readonly registry: Registry;
  readonly routes: readonly TableRoutes[];
  /** The bytes of openapi.json. */
  readonly openapi: () => Promise<Buffer>;
  /** The same of what a role may do. */
  readonly openapiFor: (limits: RoleLimits) => Promise<Buffer>;
  /** Undefined where GraphQL has nothing to show. */
  readonly graphql: GraphQLSchema | undefined;
  /** The user's part of it; undefined where there is none. */
  readonly customParts: CustomParts | undefined;
  /** Of its catalogue. Absent: the follower knows that of the generated API. */
  readonly fingerprint?: string;
  /** The catalogue that it follows from, for the console; undefined where it cannot be read. */
  readonly catalog: () => Promise<Catalog | undefined>;
}
