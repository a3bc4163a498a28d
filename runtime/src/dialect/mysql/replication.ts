import { codes, misconfigured, ServerError } from '../../errors.js';
import type { BoundStatement, RawRow } from '../../plan/statement.js';
import type { Driver } from '../driver.js';
import type { Position } from '../position.js';
import type { Replication, ServerState } from '../replication.js';
import { databaseErrorFields } from './failures/fields.js';
import { outageOf } from './failures/outage.js';
import { causalRead, nodeState, writeSetOf } from './galera.js';

/** The last transaction that the session has written. Runs after a commit, which ends before it. */
export const committedPosition: BoundStatement = { text: 'select @@last_gtid', values: [] };

const columns = '@@read_only, if(@@read_only, @@gtid_slave_pos, @@gtid_binlog_pos)';
const question: BoundStatement = { text: `select ${columns}, @@wsrep_on and @@wsrep_provider <> 'none'`, values: [] };

/** A MariaDB that was built without Galera, as on Windows, does not know its variables (1193). */
async function ask(server: Driver): Promise<RawRow | undefined> {
  try {
    return (await server.run([question]))[0];
  } catch (error) {
    if (numberOf(error) !== 1193) throw error;
    return (await server.run([{ text: `select ${columns}`, values: [] }]))[0];
  }
}

/**
 * Rights to write on a replica without an error: the next change of the same row by the primary
 * would then stop the replication. SUPER is one of them before MariaDB 10.11.
 * Source: https://mariadb.com/kb/en/grant/#read_only-admin
 */
const rights: BoundStatement = {
  text: `
    select privilege_type, version() from information_schema.user_privileges
    where grantee = concat('''', replace(current_user(), '@', '''@'''), '''')
      and privilege_type in ('SUPER', 'READ_ONLY ADMIN', 'READ ONLY ADMIN')`,
  values: [],
};

/** Replication by GTID, or by Galera. Source: https://mariadb.com/kb/en/gtid/ */
export const replication: Replication = {
  check: async (server, { role }) => {
    if (role === 'peer') return;
    for (const [right, version = ''] of await server.run([rights])) {
      const [, major = '', minor = ''] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
      const isOld = Number(major) < 10 || (major === '10' && Number(minor) < 11);
      if (right !== 'SUPER' || isOld)
        throw misconfigured(
          'The account of app.datasource.url may write on replicas, which would stop their replication.',
          `Revoke ${right ?? ''} from it.`,
        );
    }
  },
  state: async (server) => {
    const [isReadOnly, told, isNode] = (await ask(server)) ?? [];
    if (isNode === '1') return nodeState(server);
    const position = positionOf(told ?? '') ?? noPosition;
    const role: ServerState['role'] = isReadOnly === '1' ? 'replica' : 'primary';
    return { system: '', role, term: 0, position, sent: position, positionOf };
  },
  catchUp: async (server) => {
    await server.run([causalRead]);
  },
  format: ({ history, marks }) =>
    [...marks].map(([stream, mark]) => (stream === '' ? `${history}:` : `${stream}-`) + String(mark)).join(),
  parse: (text) => writeSetOf(text) ?? positionOf(text),
  failsThere: (error) => {
    const isGone = error instanceof ServerError && error.code === codes.unavailable;
    return notNow.has(numberOf(error)) || isGone || outageOf(error) !== undefined ? 'once' : undefined;
  },
  refusesWrites: (error) => [READ_ONLY, NOT_READY].includes(numberOf(error)),
};

/** "WSREP has not yet prepared node for application use": the statement was not begun. */
const NOT_READY = 1047;

/** "The MariaDB server is running with the --read-only option". */
const READ_ONLY = 1290;

/**
 * Locks of the thread that replays, and names and rights that have not arrived there yet.
 * Source: https://mariadb.com/kb/en/mariadb-error-code-reference/
 */
const notNow: ReadonlySet<number> = new Set([READ_ONLY, 1044, 1049, 1054, 1142, 1143, 1146, 1205, 1213, 1305, 1370]);

const numberOf = (error: unknown): number =>
  databaseErrorFields(error instanceof ServerError ? error.cause : error)?.number ?? 0;

/** The longest list of GTIDs. */
const MAX_STREAMS = 64;

/**
 * A stream is a domain and the server that wrote it: after a failover the numbers of a domain go on
 * with those of another server, and the old server's do not count.
 */
function positionOf(text: string): Position | undefined {
  const gtids = text.split(',');
  if (gtids.length > MAX_STREAMS) return undefined;
  const marks = new Map<string, bigint>();
  for (const gtid of gtids) {
    const [, stream, mark] = /^(\d{1,10}-\d{1,10})-(\d{1,20})$/.exec(gtid) ?? [];
    if (stream === undefined || mark === undefined) return undefined;
    marks.set(stream, BigInt(mark));
  }
  return { history: '', marks };
}

const noPosition: Position = { history: '', marks: new Map() };
