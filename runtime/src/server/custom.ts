import type { Router } from 'express';
import type { ResolverClass } from '../descriptor/generated.js';
import type { ResolverOptions } from '../schema/build-schema.js';
import type { AnyDatabase, Hooks } from '../execute/hooks.js';

/** What `src/custom/index.ts` exports as `custom`: the user's own part of the server. */
export interface CustomServer<Database = AnyDatabase> extends ResolverOptions {
  /**
   * TypeGraphQL resolver classes, merged with the generated ones: `@Resolver(() => KanbanIssues)`
   * adds fields to a type.
   */
  readonly resolvers?: readonly ResolverClass[];
  /**
   * Express routers, asked in this order for every path that is not `/graphql`, `/api/v1` or
   * `/health`.
   */
  readonly routes?: readonly Router[];
  /** Around the writes of both protocols, by table: `{ 'kanban.issues': { beforeInsert: … } }`. */
  readonly hooks?: Hooks<Database>;
}
