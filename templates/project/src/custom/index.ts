import type { CustomServer } from '@tablewright/runtime';
import type { Database } from '../generated/database.js';

/**
 * Your part of the server. `tablewright` writes this file once and never changes it.
 *
 * A resolver adds fields to GraphQL. Put each resolver into a file beside this one:
 *
 *     @Resolver()
 *     export class WeatherResolver {
 *       @Query(() => String)
 *       weather(@Arg('city', () => String) city: string): string {
 *         return `It is sunny in ${city}.`;
 *       }
 *     }
 *
 * `@Resolver(() => KanbanIssues)` and `@FieldResolver` add a field to a table's type.
 *
 * A route is an Express router:
 *
 *     const report = Router().get('/report', (_request, response) => response.send('All is well.'));
 *
 * Resolvers and routes query the database as the caller: with Kysely, in a transaction that has the
 * caller's claims. In a resolver, use `context.transaction` of `@Ctx() context`. In a route:
 *
 *     Router().get('/titles', async (request, response) => {
 *       const read = (db: Kysely<Database>) => db.selectFrom('kanban.issues').select('title').execute();
 *       response.json(await contextOf<Database>(request).transaction(read));
 *     });
 *
 * Hooks wrap the writes of a table: `{ 'kanban.issues': { beforeInsert: ({ rows, db }) => … } }`.
 */
export const custom: CustomServer<Database> = {
  resolvers: [],
  routes: [],
  hooks: {},
};
