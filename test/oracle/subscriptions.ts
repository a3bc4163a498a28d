import type { Client } from 'graphql-ws';
import { openClient, untilLive, watch, type Change, type Watching } from '../runtime/changes/support/live.js';
import { graphqlSubscription } from './graphql.js';
import type { Random } from './random.js';
import { mixed } from './requests.js';
import { markers, type OracleTable } from './schema.js';
import { named, type OraclePair, type OracleServer } from './servers.js';

/** So many are open at a time. */
const mostOpen = 6;

/** Milliseconds in which both servers have to tell the same. */
const patience = 60_000;

interface Subscribed {
  readonly body: string;
  readonly warm: Told;
  readonly cold: Told;
}

/** What one server has told of a subscription. */
interface Told {
  readonly watching: Watching | undefined;
  /** Why it was refused. */
  readonly refusal: string | undefined;
}

/**
 * Random subscriptions to both servers. What they were told gives the same rows: changes that come
 * together may be one event to one server, and several to the other.
 */
export class Subscriptions {
  readonly #open: Subscribed[] = [];
  readonly #bodies: string[] = [];
  readonly #clients: readonly [Client, Client];
  #markers: readonly [Watching, Watching] | undefined;
  #events = 0;

  constructor(
    private readonly pair: OraclePair,
    private readonly tables: readonly OracleTable[],
  ) {
    this.#clients = [openClient(pair.warm), openClient(pair.cold)];
  }

  /** The events that the server with caches has sent, of the subscriptions that are over. */
  get events(): number {
    return this.#events;
  }

  async untilLive(): Promise<void> {
    await untilLive(this.pair.warm);
    await untilLive(this.pair.cold);
    const [warm, cold] = this.#clients;
    this.#markers = [await watchMarkers(warm, this.pair.warm), await watchMarkers(cold, this.pair.cold)];
  }

  /**
   * Waits until both servers have sent every earlier change: one that is behind would send such a
   * change to a subscription that is opened now, and the other one would not. Each subscription
   * reads its rows for itself, so that the markers alone do not say that the others are done.
   */
  async #caughtUp(): Promise<void> {
    const [warm, cold] = this.#markers ?? [];
    for (let round = 0; round < 2; round += 1) {
      await Promise.all([caughtUp(this.pair.warm, warm), caughtUp(this.pair.cold, cold)]);
      await this.difference();
    }
  }

  /** Opens one, by a document of before with other variables or by another one. */
  async subscribe(random: Random): Promise<void> {
    if (this.#open.length >= mostOpen) this.#end();
    const fresh = graphqlSubscription(random, this.tables);
    const body = this.#bodies.length > 0 && random.chance(50) ? mixed(random, random.pick(this.#bodies), fresh) : fresh;
    this.#bodies.push(body);
    if (this.#bodies.length > 20) this.#bodies.shift();
    await this.#caughtUp();
    const [warm, cold] = await Promise.all([
      told(this.#clients[0], this.pair.warm, body),
      told(this.#clients[1], this.pair.cold, body),
    ]);
    this.#open.push({ body, warm, cold });
  }

  /** How the two servers differ in what they have told, for good. */
  async difference(): Promise<string | undefined> {
    const until = Date.now() + patience;
    for (;;) {
      const found = this.#open.find(({ warm, cold }) => this.#state(warm) !== this.#state(cold, 'cold'));
      if (found === undefined) return undefined;
      if (Date.now() > until)
        return `the subscription ${found.body}\nwith caches: ${this.#state(found.warm)}\nwithout:     ${this.#state(found.cold, 'cold')}`;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    while (this.#open.length > 0) this.#end();
    for (const client of this.#clients) await client.dispose();
  }

  #end(): void {
    const ended = this.#open.shift();
    this.#events += ended?.warm.watching?.events.length ?? 0;
    ended?.warm.watching?.stop();
    ended?.cold.watching?.stop();
  }

  #state({ watching, refusal }: Told, which: 'warm' | 'cold' = 'warm'): string {
    if (watching === undefined) return `refused: ${refusal ?? ''}`;
    const errors = JSON.stringify(watching.errors);
    return this.pair[which].neutral(`${errors} ${rowsOf(watching.events)}`);
  }
}

const watchMarkers = (client: Client, server: OracleServer): Promise<Watching> => {
  const table = `§${markers.charAt(0).toUpperCase()}${markers.slice(1)}`;
  return watch(client, named(server, `subscription { ${table}Changes { operation key } }`));
};

async function caughtUp(server: OracleServer, watching: Watching | undefined): Promise<void> {
  const id = await server.mark();
  await watching?.until((events) => events.some(({ key }) => Number(key?.['id']) >= id));
  watching?.forget();
}

async function told(client: Client, server: OracleServer, body: string): Promise<Told> {
  const { query, variables } = JSON.parse(named(server, body)) as { query: string; variables: Record<string, unknown> };
  const watching = await watch(client, query, variables);
  // A document that is refused ends at once.
  if (!watching.isOver()) return { watching, refusal: undefined };
  return { watching: undefined, refusal: server.neutral(JSON.stringify(watching.errors)) };
}

/** The rows that a client has by the events, which are a change of all rows at worst. */
function rowsOf(events: readonly Change[]): string {
  const rows = new Map<string, string>();
  for (const { operation, key, data } of events) {
    const name = JSON.stringify(key);
    if (operation === 'RESYNC') return 'RESYNC';
    if (operation === 'DELETE') rows.delete(name);
    else rows.set(name, JSON.stringify(data));
  }
  return JSON.stringify([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}
