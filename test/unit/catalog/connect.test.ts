import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../../runtime/src/generator.js';
import { connectionFailure } from '../../../runtime/src/dialect/postgres/catalog/connection/failure.js';
import { serverVersion } from '../../../runtime/src/dialect/postgres/catalog/version.js';
import { TablewrightError } from '../../../runtime/src/tablewright-error.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

async function failureOf(url: string): Promise<TablewrightError> {
  const error: unknown = await connect(url).then(
    async (connection) => {
      await connection.close();
      return new Error('it connected');
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof TablewrightError)) throw error;
  const told = [error.message, error.hint, String(error.cause), JSON.stringify(error.cause)].join('\n');
  expect(told).not.toContain('s3cret');
  expect(error.message).toMatch(/\.$/);
  return error;
}

/** A server that answers everything with `answer`, or closes the connection. */
async function fakeServer(answer?: Buffer): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => (answer === undefined ? socket.end() : socket.end(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

/** An ErrorResponse message of the protocol: severity, code, message. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}

describe('connect', () => {
  // The embedded server requires a password; the shared server may not.
  let database: TestDatabase;
  let url: URL;

  beforeAll(async () => {
    database = await createTestDatabase('catalog_connect', 'embedded');
    url = new URL(database.url);
  });

  afterAll(() => database.drop());

  const address = (change: (url: URL) => void): string => {
    const changed = new URL(url);
    change(changed);
    return changed.href;
  };

  it('connects, tells the version, and shows no password', async () => {
    const connection = await connect(database.url);
    expect(connection.serverVersion).toBeGreaterThanOrEqual(180000);
    expect(connection.display).toBe(address((changed) => (changed.password = '')));
    expect(await connection.query('select $1::int as n, $2::text[] as t', [1, ['a,b']])).toEqual([
      { n: 1, t: ['a,b'] },
    ]);
    await connection.close();
  });

  it('says that nothing answers there', async () => {
    const { port, server } = await fakeServer();
    await new Promise((resolve) => server.close(resolve));
    const error = await failureOf(`postgres://ann:s3cret@127.0.0.1:${port}/app`);
    expect(error).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: `No connection to postgres://ann@127.0.0.1:${port}/app (ECONNREFUSED).`,
    });
  });

  it('says that there is no such host', async () => {
    const error = await failureOf('postgres://ann:s3cret@no-such-host.invalid/app');
    expect(error.code).toBe('DATABASE_UNREACHABLE');
    expect(error.message).toMatch(/\((ENOTFOUND|EAI_AGAIN)\)/);
  });

  it('says that it is no PostgreSQL that answers, or that it hung up', async () => {
    const { port, server } = await fakeServer();
    expect((await failureOf(`postgres://ann:s3cret@127.0.0.1:${port}/app`)).code).toBe('DATABASE_UNREACHABLE');
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ['53300', 'sorry, too many clients already', 'DATABASE_UNREACHABLE'],
    ['57P03', 'the database system is starting up', 'DATABASE_UNREACHABLE'],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.1", user "ann", no encryption', 'DATABASE_AUTHENTICATION'],
    ['28000', 'role "ann" does not exist', 'DATABASE_AUTHENTICATION'],
    ['42501', 'permission denied for database "app"', 'DATABASE_AUTHENTICATION'],
  ])('explains %s (%s)', async (sqlstate, message, code) => {
    const { port, server } = await fakeServer(errorResponse(sqlstate, message));
    const error = await failureOf(`postgres://ann:s3cret@127.0.0.1:${port}/app`);
    await new Promise((resolve) => server.close(resolve));
    expect(error.code).toBe(code);
    expect(error.hint).toMatch(/\.$/);
  });

  it('says that the password is wrong, or missing', async () => {
    expect(await failureOf(address((changed) => (changed.password = 's3cret')))).toMatchObject({
      code: 'DATABASE_AUTHENTICATION',
      hint: expect.stringContaining('%40') as string,
    });
    expect((await failureOf(address((changed) => (changed.password = '')))).code).toBe('DATABASE_AUTHENTICATION');
    expect((await failureOf(address((changed) => (changed.username = 'nobody')))).code).toBe('DATABASE_AUTHENTICATION');
  });

  it('says that there is no such database, by its name', async () => {
    expect(await failureOf(address((changed) => (changed.pathname = '/no%20such')))).toMatchObject({
      code: 'DATABASE_UNKNOWN',
      message: 'The server has no database "no such".',
    });
  });

  it('says that encryption failed', async () => {
    const error = await failureOf(address((changed) => (changed.search = '?sslmode=require')));
    expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE', hint: expect.stringContaining('sslmode') as string });
    const certificate = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(connectionFailure(certificate, { display: 'x', database: 'y' }).hint).toContain('sslmode');
    const missing = await failureOf(address((changed) => (changed.search = '?sslrootcert=/no/such/file')));
    expect(missing.code).toBe('DATABASE_UNREACHABLE');
  });

  it('says what the database said of a statement', async () => {
    const connection = await connect(database.url);
    await expect(connection.query('select nothing from nowhere')).rejects.toMatchObject({
      code: 'DATABASE_QUERY',
      message: expect.stringContaining('relation "nowhere" does not exist (42P01)') as string,
    });
    await connection.close();
    await expect(connection.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_QUERY' });
  });

  it('refuses a server that is too old', () => {
    expect(() => serverVersion(120015)).toThrow('The database server is PostgreSQL 12; 13 or later is needed.');
    expect(() => serverVersion(90624)).toThrow(expect.objectContaining({ code: 'DATABASE_UNSUPPORTED' }) as Error);
    expect(serverVersion(130000)).toEqual({ multiranges: false, nullsNotDistinct: false, temporalKeys: false });
    expect(serverVersion(150020)).toEqual({ multiranges: true, nullsNotDistinct: true, temporalKeys: false });
    expect(serverVersion(180004)).toEqual({ multiranges: true, nullsNotDistinct: true, temporalKeys: true });
  });

  it('makes no PGlite database where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablewright-empty-'));
    expect(await failureOf(`pglite:${folder}`)).toMatchObject({ code: 'DATABASE_UNKNOWN' });
    expect(await failureOf(`pglite:${join(folder, 'none')}`)).toMatchObject({ code: 'DATABASE_UNKNOWN' });
    await rm(folder, { recursive: true });
  });
});
