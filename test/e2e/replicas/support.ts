import pg from 'pg';
import type { Cluster } from '../../support/cluster.js';
import type { Reply } from '../../runtime/rest/support/client.js';
import type { ServedServer } from '../../support/served-as-role.js';

/** Runs statements as the superuser of a server. */
export async function on(
  { url }: Pick<Cluster, 'url'>,
  ...statements: readonly string[]
): Promise<readonly (readonly unknown[])[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: unknown[][] = [];
    for (const text of statements) ({ rows } = await client.query<unknown[]>({ text, rowMode: 'array' }));
    return rows;
  } finally {
    await client.end();
  }
}

/** A setting of a running server, in `alter system set` form. */
export const set = (server: Cluster, name: string, value: string | number) =>
  on(server, `alter system set ${name} = '${value}'`, 'select pg_reload_conf()');

export interface Health {
  readonly status: string;
  readonly servers: readonly { readonly server: number; readonly state: string; readonly lagMs?: number }[];
}

export const healthOf = async ({ base }: Pick<ServedServer, 'base'>): Promise<Health> =>
  (await (await fetch(`${base}/health/ready`)).json()) as Health;

export const statesOf = async (server: Pick<ServedServer, 'base'>): Promise<readonly string[]> =>
  (await healthOf(server)).servers.map(({ state }) => state);

/** The header of a reply that its client sends with later reads. */
export function versionOf({ headers, text }: Reply): Readonly<Record<string, string>> {
  const version = headers['x-data-version'];
  if (typeof version !== 'string') throw new Error(`This answer has no version: ${text}`);
  return { 'x-data-version': version };
}

/** Reads by their outcome, from the metrics. */
export async function countsOf({ log }: Pick<ServedServer, 'log'>): Promise<Readonly<Record<string, number>>> {
  const [, address = ''] = /"address":"([^"]+)","of":"metrics"/.exec(log()) ?? [];
  const text = await (await fetch(address)).text();
  const found = text.matchAll(/^tablewright_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, outcome = '', count]) => [outcome, Number(count)]));
}
