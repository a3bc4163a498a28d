import { freePort } from './free-port.js';
import { found } from './machine/machine.js';
import { loadMysql } from './mysql.js';
import { createOwnMariadb, type OwnMariadb } from './own-mariadb.js';

const provider = found('galera')?.at ?? '';

/** A node of a cluster. */
export interface GaleraNode extends OwnMariadb {
  /** Joins again, and copies what it has missed. */
  join(): Promise<void>;
  /** Sets how long another node may be silent before this one takes it for dead. */
  suspectAfter(seconds: number): Promise<void>;
}

/**
 * Seconds. By its default, 5, a cluster on a busy machine loses nodes that live: then it takes no
 * writes, or has two opinions about those on their way.
 */
export const PATIENT = 120;

/**
 * Starts nodes that have a binary log with the changes of all of them. The first one is alone at
 * first: the others copy its data.
 */
export async function startGalera(count: number): Promise<readonly GaleraNode[]> {
  const ports = await Promise.all(
    Array.from({ length: count }, () => Promise.all([freePort(), freePort(), freePort()])),
  );
  const members = ports.map(([group]) => `127.0.0.1:${String(group)}`).join(',');
  // rsync as root reads folders as another user.
  const user = process.getuid?.() === 0 ? 'mysql' : undefined;
  const nodes: GaleraNode[] = [];
  for (const [at, [group, transfer, copy]] of ports.entries()) {
    const node = await createOwnMariadb(
      [
        ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', `--server-id=${String(at + 1)}`],
        ...['--log-bin=binlog', '--log-slave-updates', '--wsrep-on=ON', `--wsrep-provider=${provider}`],
        ...['--wsrep-sst-method=rsync', '--wsrep-node-address=127.0.0.1', `--wsrep-node-name=node-${String(at)}`],
        `--wsrep-sst-receive-address=127.0.0.1:${String(copy)}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${String(group)};ist.recv_addr=127.0.0.1:${String(transfer)};gcache.size=16M;${silence(PATIENT)}`,
      ],
      user,
    );
    const join = () => node.start([`--wsrep-cluster-address=gcomm://${members}`]);
    const suspectAfter = (seconds: number) =>
      loadMysql(node.url, `set global wsrep_provider_options = '${silence(seconds)}'`);
    nodes.push({ ...node, join, suspectAfter });
    await (at === 0 ? node.start(['--wsrep-cluster-address=gcomm://']) : join());
  }
  return nodes;
}

/** A node that the others suspect, but cannot agree about, is dead after twice the time. */
const silence = (seconds: number): string =>
  `evs.suspect_timeout=PT${String(seconds)}S;evs.inactive_timeout=PT${String(2 * seconds)}S`;
