import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TablewrightError } from '../tablewright-error.js';

/** A kind of database, as messages call it. */
interface Product {
  readonly name: string;
  readonly scheme: string;
  readonly port: number;
}

const postgres: Product = { name: 'PostgreSQL', scheme: 'postgres', port: 5432 };
const mysql: Product = { name: 'MariaDB or MySQL', scheme: 'mysql', port: 3306 };

/** Another database than that of an address answers there. */
export interface OtherDatabase {
  readonly message: string;
  readonly hint: string;
}

/** Milliseconds that a server may take to accept a connection, and to answer. */
const TIMEOUT_MS = 2_000;

/** Milliseconds that MariaDB may take to greet: it speaks first, and PostgreSQL waits. */
const GREETING_TIMEOUT_MS = 1_000;

/** Asks whether the server takes encryption: PostgreSQL answers `S` or `N`, and nothing else. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Finds out whether a server of the other kind of database answers at an address to which no
 * connection was possible: drivers report that as a timeout, or as a message that makes no sense.
 */
export async function otherDatabase(address: string): Promise<OtherDatabase | undefined> {
  const expected = /^(mysql|mariadb):/i.test(address) ? mysql : /^postgres(ql)?:/i.test(address) ? postgres : undefined;
  if (expected === undefined || !URL.canParse(address)) return undefined;
  const { hostname, port } = new URL(address);
  const host = decodeURIComponent(hostname).replace(/^\[|\]$/g, '');
  if (host === '' || host.startsWith('/')) return undefined;
  const found = await answering(host, port === '' ? expected.port : Number(port)).catch(() => undefined);
  if (found === undefined || found === expected) return undefined;
  return {
    message: `${found.name} answers there`,
    hint: `Write ${found.scheme}:// in the address, or the port of a ${expected.name} server (by default ${String(expected.port)}).`,
  };
}

/** The same as an error of the tool. */
export async function otherDatabaseFailure(
  address: string,
  display: string,
  cause: unknown,
): Promise<TablewrightError | undefined> {
  const other = await otherDatabase(address);
  if (other === undefined) return undefined;
  return new TablewrightError('DATABASE_UNREACHABLE', `No connection to ${display}: ${other.message}.`, other.hint, {
    cause,
  });
}

async function answering(host: string, port: number): Promise<Product | undefined> {
  const socket = connect({ host, port });
  // Before the server is connected to, while it is asked, and afterwards.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const greeting = await bytesOf(socket, GREETING_TIMEOUT_MS);
    if (greeting !== undefined) return isGreeting(greeting) ? mysql : undefined;
    socket.write(sslRequest);
    const answer = await bytesOf(socket, TIMEOUT_MS);
    return answer?.length === 1 && /[SN]/.test(answer.toString('latin1')) ? postgres : undefined;
  } finally {
    socket.destroy();
  }
}

/** The next bytes; undefined if there are none in time. */
function bytesOf(socket: Socket, milliseconds: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, undefined);
    socket.once('data', (bytes: Buffer) => {
      clearTimeout(timer);
      resolve(bytes);
    });
  });
}

/**
 * The first packet: three bytes of length, its number 0, and the version of the protocol, or an
 * error, such as one about a host that may not connect.
 * https://mariadb.com/kb/en/connection/#initial-handshake-packet
 */
const isGreeting = (bytes: Buffer): boolean => bytes[3] === 0 && (bytes[4] === 10 || bytes[4] === 255);
