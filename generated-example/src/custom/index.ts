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
 * Hooks wrap the writes of a table: `{ 'kanban.issues': { beforeInsert: ({ rows }) => … } }`.
 */
export const custom: CustomServer<Database> = {
  resolvers: [],
  routes: [],
  hooks: {},
};
