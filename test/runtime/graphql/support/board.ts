import { createDriver } from '../../../support/create-driver.js';
import { startGraphqlServer, type GraphqlServer } from '../../../support/graphql-server.js';
import { settingsWith } from '../../../support/intents.js';
import { schemaOf } from '../../../support/live-schema.js';
import { createFilledDatabase } from '../../../support/postgres.js';
import { board, boardRegistry, boardSql } from '../../../support/registry.js';

/** GraphQL over HTTP on a database of its own with the tables of the board; `close` drops it. */
export async function startBoardServer(name: string): Promise<GraphqlServer> {
  const database = await createFilledDatabase(name, boardSql);
  const driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  const server = await startGraphqlServer({ registry: boardRegistry, schema: schemaOf(board), driver });
  return {
    ...server,
    close: async () => {
      await server.close();
      await driver.close();
      await database.drop();
    },
  };
}
