import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { createKey, sign } from '../../test/runtime/auth/support.js';
import { buildGenerated } from '../../test/support/generated-program.js';
import { createOwnMariadb, hasMariadb } from '../../test/support/own-mariadb.js';
import { createTestDatabase, loadSql } from '../../test/support/postgres.js';
import { median, processorTime } from '../harness/figures.js';
import { progress, publish, reportOptions } from '../harness/report.js';
import { startServer, type RunningServer } from '../harness/server.js';

/** What decides who may read and write the payments. */
type Decided = 'nothing' | 'policies' | 'rules';

interface Variant {
  readonly database: 'PostgreSQL' | 'MariaDB';
  readonly by: Decided;
}

interface Served extends Variant {
  readonly server: RunningServer;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

interface Figure extends Variant {
  readonly workload: string;
  readonly microseconds: number;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

const variants: readonly Variant[] = [
  { database: 'PostgreSQL', by: 'nothing' },
  { database: 'PostgreSQL', by: 'policies' },
  { database: 'PostgreSQL', by: 'rules' },
  ...(hasMariadb ? (['nothing', 'rules'] as const).map((by) => ({ database: 'MariaDB', by }) as const) : []),
];

const columns = `customer_id int not null, amount decimal(12, 2) not null, currency char(3) not null default 'EUR',
  reference varchar(40) not null, note varchar(80), paid timestamp not null default current_timestamp`;

const tables = (key: string, number: string, numbers: string): string => `
  create table payments (id ${key}, ${columns});
  insert into payments (customer_id, amount, reference, note)
    select ${number} % 100, ${number} / 7.0, concat('ref ', ${number}), 'a note' from ${numbers};
  create index payments_customer on payments (customer_id, id)`;

const policy = `alter table shop.payments enable row level security; alter table shop.payments force row level security;
  create policy own on shop.payments using (customer_id = nullif(current_setting('request.user_id', true), '')::int)`;

/** The customer with these rows: 7, 107, 207 and so on. */
const customer = 7;
const workloads: Readonly<Record<string, (at: number) => Asked>> = {
  'a row by key': (at) => ({ method: 'GET', path: `payments/${String(customer + 100 * (at % 100))}` }),
  'a list of 30': (at) => ({
    method: 'GET',
    path: `payments?customer_id=eq.${String(customer)}&id=gt.${String(at % 50)}&limit=30&order=id`,
  }),
  insert: (at) => ({
    method: 'POST',
    path: 'payments',
    body: JSON.stringify({ customer_id: customer, amount: 12.5, reference: `new ${String(at)}` }),
  }),
  'update by key': (at) => ({
    method: 'PATCH',
    path: `payments?id=eq.${String(customer + 100 * (at % 100))}`,
    body: JSON.stringify({ note: `note ${String(at)}` }),
  }),
};

/** Processor time of the server for each request, with and without rules, by turns. */
export async function runRules(args: readonly string[]): Promise<void> {
  const options = { requests: { type: 'string' }, rounds: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const [requests, rounds] = [Number(values.requests ?? 2000), Number(values.rounds ?? 5)];
  const all: Served[] = [];
  try {
    for (const variant of variants) {
      progress(`Starting ${variant.database}, ${variant.by}`);
      all.push(await serve(variant));
    }
    const figures: Figure[] = [];
    for (const [workload, asked] of Object.entries(workloads)) {
      const times = new Map(all.map((each) => [each, [] as number[]]));
      for (const each of all) await send(each, asked, requests / 2);
      for (let round = 0; round < rounds; round += 1)
        for (const each of all) times.get(each)?.push(await measure(each, asked, requests));
      progress(workload);
      for (const [{ database, by }, found] of times)
        figures.push({ workload, database, by, microseconds: median(found) });
    }
    const of = (workload: string, { database, by }: Variant): string =>
      figures
        .find((each) => each.workload === workload && each.database === database && each.by === by)
        ?.microseconds.toFixed(0) ?? '';
    publish(
      {
        name: 'rules',
        head: ['server CPU, µs', ...variants.map(({ database, by }) => `${database}, ${by}`)],
        rows: Object.keys(workloads).map((workload) => [workload, ...variants.map((each) => of(workload, each))]),
        figures,
      },
      reportOptions(args),
    );
  } finally {
    for (const each of all) await each.stop();
  }
}

async function serve(variant: Variant): Promise<Served> {
  const { database, by } = variant;
  const isMysql = database === 'MariaDB';
  const made = await (isMysql ? ownMysql() : createTestDatabase('bench_rules'));
  const schema = isMysql ? new URL(made.url).pathname.slice(1) : 'shop';
  const url = new URL(made.url);
  if (isMysql) {
    const connection = await createConnection({ uri: made.url, multipleStatements: true });
    await connection.query(tables('int auto_increment primary key', 'seq', 'seq_1_to_20000'));
    await connection.end();
  } else {
    const role = `${url.pathname.slice(1)}_app`;
    await loadSql(
      made.url,
      `create schema shop; set search_path = shop; ${tables('int generated by default as identity primary key', 'n', 'generate_series(1, 20000) n')};
       reset search_path; ${by === 'policies' ? policy : ''};
       create role ${role} login password 'bench'; grant usage on schema shop to ${role};
       grant select, insert, update on shop.payments to ${role}; grant usage on all sequences in schema shop to ${role}; analyze`,
    );
    [url.username, url.password] = [role, 'bench'];
  }
  const rules = { [`${schema}.payments`]: { read: { customer_id: { eq: { claim: 'userId' } } } } };
  const config = { names: { schemaPrefix: 'never' }, ...(by === 'rules' ? { rules } : {}) };
  const program = await buildGenerated(made.url, { 'tablewright.config.json': JSON.stringify(config) });
  const key = await createKey('EdDSA');
  const environment = {
    NODE_ENV: 'production',
    NODE_OPTIONS: '',
    DATABASE_URL: url.href,
    APP_SCHEMAS: schema,
    APP_LOG_LEVEL: 'silent',
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
    APP_DATASOURCE_POOL_SIZE: '8',
    APP_CACHE_SCHEMA_TTL_MINUTES: '0',
  };
  const server = await startServer(['dist/main.js'], program.folder, environment, '/health/ready');
  return {
    ...variant,
    server,
    token: await sign(key, { sub: String(customer), exp: 4e9 }),
    stop: async () => {
      await server.stop();
      await program.remove();
      if (!isMysql) await loadSql(made.url, `drop owned by ${url.username}; drop role ${url.username}`);
      await made.drop();
    },
  };
}

/** A MariaDB that belongs to the benchmark. */
async function ownMysql() {
  const mariadb = await createOwnMariadb(['--innodb-flush-log-at-trx-commit=0']);
  await mariadb.start();
  const connection = await createConnection(mariadb.url);
  await connection.query('create database shop');
  await connection.end();
  return { url: `${mariadb.url}shop`, drop: () => mariadb.remove() };
}

/** Microseconds for a request. */
async function measure(served: Served, asked: (at: number) => Asked, count: number): Promise<number> {
  const before = processorTime(served.server.pid);
  await send(served, asked, count);
  return (processorTime(served.server.pid) - before) / count;
}

const atOnce = 16;

async function send({ server, token }: Served, asked: (at: number) => Asked, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const { hostname, port } = new URL(server.base);
  let at = 0;
  const one = ({ method, path, body }: Asked): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const sent = request({ agent, hostname, port, method, path: `/api/v1/${path}`, headers }, (answer) => {
        answer.resume().once('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve();
          else reject(new Error(`${method} ${path} is answered with ${String(answer.statusCode)}.`));
        });
      });
      sent.once('error', reject).end(body);
    });
  const worker = async (): Promise<void> => {
    while (at < count) await one(asked((at += 1)));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
}
