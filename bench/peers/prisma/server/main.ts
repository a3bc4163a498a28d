import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { getPrismaClient } from '@prisma/client/runtime/client';
import express from 'express';
import { environment } from '../../shared/server/environment.js';
import { threeLevels } from '../../shared/server/three-levels.js';
import { config } from './schema.js';

const { databaseUrl, poolSize, port, host } = environment;

/** The methods of a model that this server calls. */
interface Delegate {
  findUnique(query: object): Promise<unknown>;
  findMany(query: object): Promise<unknown>;
  create(query: object): Promise<unknown>;
  aggregate(query: object): Promise<unknown>;
}

/** The client, typed without the 300 kB of generated types. */
interface Client {
  readonly customer: Delegate;
  readonly order: Delegate;
  readonly payment: Delegate;
}

const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl);
const adapter = new PrismaMariaDb({
  host: hostname,
  port: Number(databasePort),
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
  database: pathname.slice(1),
  connectionLimit: poolSize,
});
const PrismaClient = getPrismaClient(config) as unknown as new (options: object) => Client;
const prisma = new PrismaClient({ adapter });

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.use(express.json({ limit: '1mb' }));

app.get('/health/ready', async (_request, response) => {
  await prisma.customer.findUnique({ where: { id: 1 } });
  response.end();
});

app.get('/customers/:id', async ({ params }, response) => {
  response.json(await prisma.customer.findUnique({ where: { id: Number(params.id) } }));
});

app.get('/customers', async ({ query: { country, take } }, response) => {
  const where = typeof country === 'string' ? { country } : {};
  response.json(await prisma.customer.findMany({ where, orderBy: { id: 'asc' }, take: Number(take) }));
});

app.get('/three-levels', async (_request, response) => {
  response.json(await prisma.customer.findMany(threeLevels));
});

app.post('/payments', async ({ body }, response) => {
  response.status(201).json(await prisma.payment.create({ data: body as unknown }));
});

app.get('/orders/figures', async ({ query: { warehouse } }, response) => {
  const where = { warehouse: Number(warehouse) };
  response.json(await prisma.order.aggregate({ where, _count: true, _sum: { total: true } }));
});

app.listen(port, host);

process.on('SIGTERM', () => process.exit(0));
