import type { CustomServer } from '@tablewright/runtime';
import type { Database } from '../generated/database.js';

/**
 * Your part of the server. This file is never written again.
 *
 * A resolver adds fields to GraphQL, in a file of its own beside this one:
 *
 *     @Resolver()
 *     export class WeatherResolver {
 *       @Query(() => String)
 *       weather(@Arg('city', () => String) city: string): string {
 *         return `It is sunny in ${city}.`;
 *       }
 *     }
 *
 * `@Resolver(() => KanbanIssues)` and `@FieldResolver` add a field to a table's type. A route is an Express router:
 *
 *     const report = Router().get('/report', (_request, response) => response.send('All is well.'));
 *
 * Both get the database as the one who asks, a Kysely in a transaction with the caller's claims. A resolver has it in `@Ctx() context`:
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
