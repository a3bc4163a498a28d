import type { BoundStatement } from '../../plan/statement.js';
import type { Driver } from '../driver.js';
import type { Position } from '../position.js';
import type { ServerState } from '../replication.js';

/** Before a SELECT: it waits until the node has applied what any node acknowledged before. */
const afterGroup = 'set statement wsrep_sync_wait = 1 for';

/**
 * The number of the last write set that is visible on a node, which all nodes count alike.
 * `wsrep_last_seen_gtid()` would be cheaper, but returns numbers before reads see them. Beside
 * other writers a node counts a commit only after its client has the answer: `wsrep_sync_wait`
 * waits for that. Source: https://mariadb.com/kb/en/galera-cluster-status-variables/
 */
const committed: BoundStatement = {
  text: `${afterGroup} select variable_value from information_schema.global_status where variable_name = 'wsrep_last_committed'`,
  values: [],
};

/** SHOW works on a node that refuses statements about tables. */
const question: BoundStatement = {
  text: `show global status where variable_name in
    ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_cluster_state_uuid', 'wsrep_local_state', 'wsrep_last_committed')`,
  values: [],
};

/** "Synced". Donors, desynchronised and joining nodes let writes wait to be applied. */
const SYNCED = '4';

/** The error that such a node answers to statements about tables. */
const notReady = (message: string): Error => Object.assign(new Error(message), { errno: 1047, sqlState: '08S01' });

/** The state of a node. Rejects for a node that is not part of the primary component. */
export async function nodeState(server: Driver): Promise<ServerState> {
  const rows = await server.run([question]);
  const status = new Map(rows.map(([name, value]) => [name?.toLowerCase(), value ?? '']));
  const [ready = '', component = ''] = [status.get('wsrep_ready'), status.get('wsrep_cluster_status')];
  const system = status.get('wsrep_cluster_state_uuid') ?? '';
  const position = writeSet(system, status.get('wsrep_last_committed') ?? '');
  if (ready !== 'ON' || component !== 'Primary' || position === undefined)
    throw notReady(`The node is not ready: wsrep_ready is ${ready}, wsrep_cluster_status is ${component}.`);
  return {
    system,
    role: 'peer',
    term: 0,
    position,
    sent: position,
    committed,
    positionOf: (told) => writeSet(system, told),
    isCatchingUp: status.get('wsrep_local_state') !== SYNCED,
  };
}

/**
 * Waits until the node has applied all writes that any node acknowledged before.
 * Source: https://mariadb.com/kb/en/galera-cluster-system-variables/#wsrep_sync_wait
 */
export const causalRead: BoundStatement = { text: `${afterGroup} select 1`, values: [] };

/** A position as clients know it: `uuid:number`. */
export function writeSetOf(text: string): Position | undefined {
  const [, system, number] = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):(\d{1,19})$/.exec(text) ?? [];
  return system === undefined || number === undefined ? undefined : writeSet(system, number);
}

const writeSet = (system: string, number: string): Position | undefined =>
  /^\d{1,19}$/.test(number) ? { history: system, marks: new Map([['', BigInt(number)]]) } : undefined;
