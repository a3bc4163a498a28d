import type { Router } from 'express';
import type { ResolverClass } from '../descriptor/generated.js';
import type { ResolverOptions } from '../schema/custom/resolvers.js';
import type { AnyDatabase, Hooks } from '../execute/hooks/table-hooks.js';
import type { Authenticate } from '../execute/custom/authenticate.js';
import type { ChooseTenant, TenantDatabases } from '../execute/custom/tenants.js';
import type { Context } from '../execute/custom/context.js';
import type { ServerExtension } from './custom-extension.js';

/** What `src/custom/index.ts` exports as `custom`: the user's own part of the server. */
export interface CustomServer<Database = AnyDatabase> extends ResolverOptions<Context> {
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
  /**
   * Who sends a request: API keys, session cookies or a gateway, instead of tokens or beside them.
   * Helpers: `apiKeys`, `sessionCookie`, `signedHeader`, `tokenIntrospection`, `firstIdentity`.
   */
  readonly authenticate?: Authenticate<Database>;
  /** The tenant of a request, where each has a database of its own. */
  readonly tenant?: ChooseTenant;
  /** The databases of the tenants, by name, or what finds them. */
  readonly tenants?: TenantDatabases;
  /**
   * Extensions of your own.
   * @experimental
   */
  readonly extensions?: readonly ServerExtension[];
  /** Around the writes of both protocols, by table: `{ 'kanban.issues': { beforeInsert: … } }`. */
  readonly hooks?: Hooks<Database>;
}

/** Whether requests are answered from the databases of tenants. */
export const isOfTenants = ({ tenant, tenants }: CustomServer): boolean =>
  tenant !== undefined || tenants !== undefined;
