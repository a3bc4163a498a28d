import { brotliDecompressSync } from 'node:zlib';
import { describeHosts, HostProject } from '../../support/hosts.js';
import { events, LambdaEnvironment, type Result, type Sent } from '../../support/lambda.js';
import { openPool } from '../../support/postgres.js';

const read: Sent = { method: 'GET', path: '/api/v1/notes', query: { title: 'like.fir*', select: 'title' } };
const url = events['a function URL or an HTTP API (2.0)'] ?? ((sent: Sent): object => sent);

const header = ({ headers, multiValueHeaders }: Result, name: string): string | undefined =>
  headers?.[name] ?? multiValueHeaders?.[name]?.[0];

describeHosts('a function of AWS Lambda', () => {
  let project: HostProject;
  const environments: LambdaEnvironment[] = [];
  const load = async (env: Readonly<Record<string, string>> = {}): Promise<LambdaEnvironment> => {
    const environment = await LambdaEnvironment.load(project.server, { ...project.environment, ...env });
    environments.push(environment);
    return environment;
  };

  beforeAll(async () => {
    project = await HostProject.open();
    // Its last command builds, which is all that there is to do.
    await project.run(await project.follow('AWS Lambda'));
    await project.run('npm install rate-limiter-flexible');
  });
  afterAll(async () => {
    for (const environment of environments) await environment.end();
    await project.remove();
  });

  describe.each(Object.entries(events))('behind %s', (_, eventOf) => {
    let environment: LambdaEnvironment;
    const send = async (sent: Sent): Promise<Result> => (await environment.invoke(eventOf(sent))).result;
    beforeAll(async () => {
      environment = await load();
    });

    test('reads and writes over REST, and leads to the new row', async () => {
      const found = await send(read);
      expect([found.statusCode, JSON.parse(found.body)]).toMatchObject([200, { data: [{ title: 'first' }] }]);
      const headers = { prefer: 'return=headers-only' };
      const made = await send({ method: 'POST', path: '/api/v1/notes', headers, body: { title: 'by an event' } });
      expect(made.statusCode).toBe(201);
      const row = await send({ method: 'GET', path: header(made, 'location') ?? '' });
      expect(JSON.parse(row.body)).toMatchObject({ title: 'by an event' });
    });

    test('answers GraphQL, and an error in the usual form', async () => {
      const body = { query: '{ appNotesByPk(id: 1) { title } }' };
      const { body: answer } = await send({ method: 'POST', path: '/graphql', body });
      expect(JSON.parse(answer)).toEqual({ data: { appNotesByPk: { title: 'first' } } });
      const { statusCode, body: error } = await send({ method: 'GET', path: '/api/v1/nothing' });
      expect([statusCode, JSON.parse(error)]).toMatchObject([404, { code: 'TW001' }]);
    });

    test('answers in bytes where the client accepts compressed ones', async () => {
      const body = { query: '{ appLong }' };
      const result = await send({ method: 'POST', path: '/graphql', headers: { 'accept-encoding': 'br' }, body });
      expect([header(result, 'content-encoding'), result.isBase64Encoded]).toEqual(['br', true]);
      const text = brotliDecompressSync(Buffer.from(result.body, 'base64')).toString();
      expect(JSON.parse(text)).toEqual({ data: { appLong: 'x'.repeat(3_000_000) } });
    });

    test('knows the address of the client', async () => {
      environment = await load({ APP_LIMITS_RATES: '[{"per":"address","requests":1,"seconds":3600}]' });
      const statuses: number[] = [];
      for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
        statuses.push((await send({ ...read, address })).statusCode);
      expect(statuses).toEqual([200, 429, 200]);
    });
  });

  test('has one connection, and no timer is pending after an answer', async () => {
    const environment = await load({ APP_DATASOURCE_POOLER: 'transaction' });
    const { pending } = await environment.invoke(url(read));
    expect(pending.filter((each) => /Time|Immediate/.test(each))).toEqual([]);
    expect(pending.filter((each) => each === 'TCPSocketWrap')).toHaveLength(1);
  });

  test('serves below the stage of an HTTP API', async () => {
    const environment = await load({ APP_SERVER_BASE_PATH: '/prod' });
    const headers = { prefer: 'return=headers-only' };
    const sent = { method: 'POST', path: '/prod/api/v1/notes', headers, body: { title: 'on a stage' } };
    const { result } = await environment.invoke(url(sent));
    expect(header(result, 'location')).toMatch(/^\/prod\/api\/v1\/notes\/\d+$/);
  });

  test('has no subscriptions', async () => {
    const environment = await load();
    const body = { query: 'subscription { appNotesChanges { operation } }' };
    const headers = { accept: 'text/event-stream' };
    const { result } = await environment.invoke(url({ method: 'POST', path: '/graphql', headers, body }));
    expect(Buffer.from(result.body, 'base64').toString()).toContain('The schema has no subscriptions.');
  });

  test('recovers from a connection that has ended while it was frozen', async () => {
    const environment = await load();
    await environment.invoke(url(read));
    environment.freeze();
    const pool = openPool({ connectionString: project.database.url, max: 1 });
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await pool.end();
    const next = environment.invoke(url(read));
    environment.thaw();
    expect([200, 503]).toContain((await next).result.statusCode);
    expect((await environment.invoke(url(read))).result.statusCode).toBe(200);
  });
});
