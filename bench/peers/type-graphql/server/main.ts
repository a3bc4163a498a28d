import 'reflect-metadata';
import express, { type Request } from 'express';
import { createHandler } from 'graphql-http/lib/use/express';
import pg from 'pg';
import { buildSchema } from 'type-graphql';
import { environment } from '../../shared/server/environment.js';
import { createSessions } from '../../shared/server/sessions.js';
import type { Context } from './context.js';
import { CustomerResolver } from './customer.js';
import { DocumentResolver } from './document.js';
import { OrderResolver } from './order.js';
import { PaymentResolver } from './payment.js';
import { StockResolver } from './stock.js';

const { databaseUrl, publicKey, poolSize, port, host } = environment;

const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
const sessionOf = await createSessions(publicKey, (user): Context => ({ pool, user }));
const anonymous: Context = { pool };

const schema = await buildSchema({
  resolvers: [CustomerResolver, OrderResolver, PaymentResolver, StockResolver, DocumentResolver],
  validate: false,
});

const app = express();
app.get('/health/ready', (_request, response) => {
  response.end();
});
app.all(
  '/graphql',
  createHandler<Context>({
    schema,
    context: async ({ raw }: { raw: Request }) => (await sessionOf(raw.headers.authorization)) ?? anonymous,
  }),
);
app.listen(port, host);

process.on('SIGTERM', () => process.exit(0));
