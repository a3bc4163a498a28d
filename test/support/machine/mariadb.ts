import type { RowDataPacket } from 'mysql2/promise';
import type { Answer, Refusal } from './servers.js';

/** Failures of a server that is starting, stopping or busy: the same question may succeed later. */
const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'ER_UNABLE_TO_CONNECT',
]);

/** Logs in to a MariaDB or MySQL. Resolves with undefined when the failure may pass. */
export async function askMariadb(address: string): Promise<Answer | Refusal | undefined> {
  const { createConnection } = await import('mysql2/promise');
  try {
    const connection = await createConnection({ uri: address, connectTimeout: 60_000 });
    const [[row]] = await connection.query<RowDataPacket[]>('select version() as version');
    await connection.end();
    return { at: address, version: String(row?.['version']) };
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code !== undefined && passing.has(code)) return undefined;
    return { reason: `the server refuses the tests: ${message}` };
  }
}
