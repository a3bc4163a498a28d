import { ZenStackClient, type ClientContract } from '@zenstackhq/orm';
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres';
import { PolicyPlugin } from '@zenstackhq/plugin-policy';
import { RPCApiHandler } from '@zenstackhq/server/api';
import { ZenStackFastifyPlugin } from '@zenstackhq/server/fastify';
import fastify, { type FastifyPluginAsync, type FastifyRequest } from 'fastify';
import pg from 'pg';
import { environment } from '../../shared/server/environment.js';
import { createSessions } from '../../shared/server/sessions.js';
import { schema, type SchemaType } from './schema.js';

const { databaseUrl, publicKey, poolSize, port, host } = environment;

const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
const withoutPolicies = new ZenStackClient(schema, { dialect: new PostgresDialect({ pool }) });
const withPolicies = withoutPolicies.$use(new PolicyPlugin());
const sessionOf = await createSessions(publicKey, (user) => withPolicies.$setAuth({ id: user }));

/**
 * Models that everyone may read and write and from which no relation leads to documents. Their
 * requests bypass the policy plugin, which adds a transaction and a second read to a write even
 * when it has nothing to check.
 */
const open = /^\/api\/(?:customer|order|item|payment|stock)\//;

/**
 * The plugin's option, typed by this schema: its own type is of any schema, and a client of one
 * schema is not assignable to it.
 */
interface ApiOptions {
  readonly prefix: string;
  readonly apiHandler: RPCApiHandler<SchemaType>;
  getClient(request: FastifyRequest): Promise<ClientContract<SchemaType>>;
}
const api = ZenStackFastifyPlugin as unknown as FastifyPluginAsync<ApiOptions>;

const server = fastify({ logger: false });
server.get('/health/ready', () => '');
await server.register(api, {
  prefix: '/api',
  apiHandler: new RPCApiHandler({ schema }),
  getClient: async ({ url, headers }) =>
    open.test(url) ? withoutPolicies : ((await sessionOf(headers.authorization)) ?? withPolicies),
});
await server.listen({ port, host });

process.on('SIGTERM', () => process.exit(0));
