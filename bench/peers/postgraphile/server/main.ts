import './with-resolvers.js';
import { createServer } from 'node:http';
import { PgAggregatesPreset } from '@graphile/pg-aggregates';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { environment } from '../../shared/server/environment.js';
import { createSessions } from '../../shared/server/sessions.js';

const { databaseUrl, publicKey, poolSize, port, host } = environment;

const sessionOf = await createSessions(publicKey, (user) => ({ pgSettings: { 'request.user_id': user } }));
/** With empty settings PostGraphile opens no transaction. */
const anonymous = {};

const preset: GraphileConfig.Preset = {
  extends: [PostGraphileAmberPreset, PgAggregatesPreset],
  // Documents are filtered by a column without an index, which PostGraphile leaves out of
  // conditions by default.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [makePgService({ connectionString: databaseUrl, schemas: ['bench'], poolConfig: { max: poolSize } })],
  // Lists return the rows alone. Aggregates need connections, which add pages and cursors.
  schema: { defaultBehavior: '+connection +list' },
  grafast: {
    explain: false,
    context: ({ node }) => {
      const session = sessionOf(node?.req.headers.authorization);
      return session instanceof Promise ? session.then((opened) => opened ?? anonymous) : (session ?? anonymous);
    },
  },
  // Grafast assembles the answer as text, instead of an object that is serialized afterwards.
  grafserv: { outputDataAsString: true, graphiql: false, watch: false, websockets: false },
};

const server = postgraphile(preset).createServ(grafserv);
await server.ready();
// The successor of this function handles all requests of a server, including the readiness check,
// and adds only WebSockets.
// eslint-disable-next-line @typescript-eslint/no-deprecated
const handle = server.createHandler();

createServer((request, response) => {
  if (request.url === '/health/ready') response.end();
  else handle(request, response);
}).listen(port, host);

process.on('SIGTERM', () => process.exit(0));
