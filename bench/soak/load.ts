import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** What the clients of a run have seen. */
export class Seen {
  /** The references of rows whose insert was answered with 201. */
  readonly acknowledged: string[] = [];
  /** Inserts without an answer, or with one that leaves the outcome open. */
  readonly unknown: string[] = [];
  /** Inserts that were answered with "nothing was written". */
  readonly refused: string[] = [];
  readsWithVersion = 0;
  stale = 0;
  lists = 0;
  foreign = 0;
  events = 0;
  resyncs = 0;
  /** Failed reads and writes by status or by the error of the connection. */
  readonly failures = new Map<string, number>();
  readonly milliseconds: number[] = [];
  /** When the last insert was acknowledged, and the longest pause between two of them, in ms. */
  #last = performance.now();
  #pause = 0;

  wrote(reference: string): void {
    this.acknowledged.push(reference);
    const now = performance.now();
    this.#pause = Math.max(this.#pause, now - this.#last);
    this.#last = now;
  }

  /** The longest pause without a write since the last call, in ms. */
  pause(): number {
    const longest = Math.max(this.#pause, performance.now() - this.#last);
    this.#pause = 0;
    return longest;
  }

  failed(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Milliseconds that a client waits for an answer. */
const PATIENCE = 20_000;

/** Clients of one user: one writes and reads its row back, one lists, one subscribes. */
export class User {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #socket;

  constructor(
    private readonly base: string,
    private readonly name: string,
    private readonly token: string,
    private readonly seen: Seen,
  ) {
    this.#socket = createClient({
      url: `${base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${token}` },
      retryAttempts: Infinity,
      retryWait: () => sleep(250),
      shouldRetry: () => true,
    });
  }

  /** Runs until the signal; `rest` ms between two requests of one client. */
  async run(signal: AbortSignal, rest: number): Promise<void> {
    const repeat = async (work: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) {
        await work();
        await sleep(rest);
      }
    };
    const unsubscribe = this.#subscribe();
    await Promise.all([repeat(() => this.#write()), repeat(() => this.#list())]);
    unsubscribe();
    await Promise.resolve(this.#socket.dispose()).catch(() => undefined);
    this.#agent.destroy();
  }

  async #write(): Promise<void> {
    const reference = randomUUID();
    const answer = await this.#send('POST', 'notes', {}, JSON.stringify({ owner: this.name, reference }));
    if (answer === undefined) {
      this.seen.unknown.push(reference);
      return;
    }
    if (answer.status !== 201) {
      this.seen.failed(`write ${String(answer.status)}`);
      const isOpen = answer.text.includes('outcome is unknown') || answer.status === 502 || answer.status === 504;
      (isOpen ? this.seen.unknown : this.seen.refused).push(reference);
      return;
    }
    this.seen.wrote(reference);
    const version = answer.headers['x-data-version'];
    if (typeof version !== 'string') return;
    const found = await this.#send('GET', `notes?reference=eq.${reference}`, { 'x-data-version': version });
    if (found === undefined) return;
    if (found.status !== 200) {
      this.seen.failed(`read ${String(found.status)}`);
      return;
    }
    this.seen.readsWithVersion += 1;
    if (!found.text.includes(reference)) this.seen.stale += 1;
  }

  async #list(): Promise<void> {
    const found = await this.#send('GET', 'notes?limit=30&order=id.desc');
    if (found === undefined) return;
    if (found.status !== 200) {
      this.seen.failed(`list ${String(found.status)}`);
      return;
    }
    this.seen.lists += 1;
    this.#look((JSON.parse(found.text) as { readonly data: readonly { readonly owner: string }[] }).data);
  }

  #subscribe(): () => void {
    const query = 'subscription { notesChanges { operation data { owner } } }';
    return this.#socket.subscribe<{ readonly notesChanges: Change }>(
      { query },
      {
        next: ({ data }) => {
          const change = data?.notesChanges;
          this.seen.events += 1;
          if (change?.operation === 'RESYNC') this.seen.resyncs += 1;
          if (change?.data != null) this.#look([change.data]);
        },
        error: () => {
          this.seen.failed('subscription');
        },
        complete: () => undefined,
      },
    );
  }

  #look(rows: readonly { readonly owner: string }[]): void {
    this.seen.foreign += rows.filter(({ owner }) => owner !== this.name).length;
  }

  /** Undefined where the connection ended without an answer. */
  async #send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer | undefined> {
    const since = performance.now();
    try {
      const answer = await exchange(
        new URL(`/api/v1/${path}`, this.base),
        {
          method,
          agent: this.#agent,
          timeout: PATIENCE,
          headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
        },
        body,
      );
      this.seen.milliseconds.push(performance.now() - since);
      return answer;
    } catch (error) {
      this.seen.failed(`${method} ${(error as NodeJS.ErrnoException).code ?? 'no answer'}`);
      return undefined;
    }
  }
}

interface Change {
  readonly operation: string;
  readonly data: { readonly owner: string } | null;
}

function exchange(url: URL, options: object, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('No answer.'), { code: 'ETIMEDOUT' })));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
