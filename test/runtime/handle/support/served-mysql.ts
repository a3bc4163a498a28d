import type { JWTPayload } from 'jose';
import { createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { buildGenerated } from '../../../support/generated-program.js';
import { createMysqlDatabase, loadMysql } from '../../../support/mysql.js';
import { startServerHere } from '../../../support/server-here.js';
import { writeCustom } from '../../../support/served-as-role.js';
import { createClient, type Client } from '../../rest/support/client.js';
import { createKey, sign } from '../../auth/support.js';

/**
 * A MariaDB and the server generated from it, with custom code; the server verifies tokens. Names
 * have no prefix of the schema.
 */
export interface ServedMysql extends Pick<Client, 'send'> {
  /** The address of the server. */
  readonly base: string;
  /** The log of the server so far. */
  readonly log: () => string;
  readonly load: (sql: string) => Promise<void>;
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly token: (user: string, claims?: JWTPayload) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** @param custom makes custom code for a database of this name; `config` may do so, too */
export async function serveMysql(
  name: string,
  sql: string,
  custom: (schema: string) => string,
  config: object | ((schema: string) => object) = { names: { schemaPrefix: 'never' } },
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedMysql> {
  const database = await createMysqlDatabase(name);
  await loadMysql(database.url, sql);
  const program = await buildGenerated(database.url, {
    'tablewright.config.json': JSON.stringify(typeof config === 'function' ? config(database.name) : config),
  });
  await writeCustom(program, custom(database.name));
  const key = await createKey('EdDSA');
  const server = await startServerHere(program.folder, {
    DATABASE_URL: database.url,
    APP_SCHEMAS: database.name,
    APP_SECURITY_JWT_ENABLED: 'true',
    APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
    APP_LOG_LEVEL: 'silent',
    ...environment,
  });
  const client = createClient(server.base);
  return {
    base: server.base,
    log: server.log,
    send: (...request) => client.send(...request),
    load: (text) => loadMysql(database.url, text),
    rows: async (text) => {
      const connection = await createConnection({ uri: database.url });
      try {
        const [found] = await connection.query<RowDataPacket[] | ResultSetHeader>(text);
        return Array.isArray(found) ? found.map((row) => ({ ...row })) : [];
      } finally {
        await connection.end();
      }
    },
    token: (user, claims = {}) => sign(key, { ...claims, sub: user }),
    stop: async () => {
      await server.stop();
      await database.drop();
      await program.remove();
    },
  };
}
