import { createSecretKey, randomBytes } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { createServer } from '../../../../runtime/src/extensions/create-server.js';
import type { CustomServer } from '../../../../runtime/src/server/custom.js';
import { describeDatabase } from '../../../support/describe-database.js';
import { reachEnvironment } from '../../../support/pooler.js';
import { createTestDatabase, loadSql, openPool } from '../../../support/postgres.js';
import { createClient } from '../../rest/support/client.js';
import { generatedOf } from '../../rest/support/generated.js';
import type { Mount } from './mount.js';

const secret = 'super-secret-jwt-token-with-at-least-32-characters-long';

/** A mount that verifies tokens. Requests without one are of the role `anon`. */
export interface Secured extends Omit<Mount, 'rows'> {
  readonly anon: string;
  readonly user: string;
  /** `Bearer` and a token with these claims. */
  readonly bearer: (claims: JWTPayload, seconds?: number) => Promise<Readonly<Record<string, string>>>;
  /** Runs SQL as the superuser. */
  readonly load: (sql: string) => Promise<void>;
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** @param sql may name the roles as `:anon` and `:user` */
export async function startSecured(
  name: string,
  sql: string,
  environment: Readonly<Record<string, string>> = {},
  custom: CustomServer = {},
): Promise<Secured> {
  const suffix = randomBytes(4).toString('hex');
  const [anon, user] = [`${name}_anon_${suffix}`, `${name}_user_${suffix}`];
  const database = await createTestDatabase(name);
  await loadSql(database.url, `create role ${anon}; create role ${user};`);
  await loadSql(database.url, sql.replaceAll(':anon', anon).replaceAll(':user', user));
  const pool = openPool({ connectionString: database.url, max: 1 });
  const { descriptors } = await describeDatabase(database.url, { functions: ['public.*'] });
  const server = createServer({
    generated: generatedOf(descriptors),
    custom,
    environment: {
      ...reachEnvironment(database.url),
      APP_REST_POSTGREST: '/rest/v1',
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_SECRET: secret,
      APP_SECURITY_ROLE_CLAIM: 'role',
      APP_SECURITY_ALLOWED_ROLES: `${anon},${user}`,
      APP_SECURITY_ANONYMOUS_ROLE: anon,
      APP_SECURITY_DEFAULT_ROLE: user,
      APP_SECURITY_ALLOW_SUPERUSER: 'true',
      PORT: '0',
      ...environment,
    },
    observe: () => undefined,
  });
  const drop = async (): Promise<void> => {
    await pool.end();
    await loadSql(database.url, `drop owned by ${anon}, ${user}; drop role ${anon}, ${user};`);
    await database.drop();
  };
  try {
    await server.listen({ ownsProcess: false });
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    ...createClient(server.address ?? ''),
    anon,
    user,
    bearer: async (claims, seconds = 60) => {
      const signed = new SignJWT({ exp: Math.floor(Date.now() / 1000) + seconds, ...claims });
      const token = await signed.setProtectedHeader({ alg: 'HS256' }).sign(createSecretKey(Buffer.from(secret)));
      return { authorization: `Bearer ${token}` };
    },
    load: (text) => loadSql(database.url, text.replaceAll(':anon', anon).replaceAll(':user', user)),
    rows: async (text) => (await pool.query<Record<string, unknown>>(text)).rows,
    stop: async () => {
      await server.close();
      await drop();
    },
  };
}
