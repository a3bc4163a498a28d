import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed, Commit, FeedListener } from '../dialect/change-feed.js';
import type { Broker, OpenBroker } from './brokers/broker.js';

/**
 * Milliseconds between two signs of life of the process that reads, and after which it counts as
 * gone.
 */
const ALIVE_MILLISECONDS = 500;
const SILENCE_MILLISECONDS = 3_000;

const RETRY_MILLISECONDS = 500;

/** Brokers have a limit, NATS of one megabyte. A longer message is reported as a gap. */
const LONGEST_MESSAGE = 500_000;

/** The messages of the reading process to the others. It has keys of rows, and no other value. */
type Body =
  | { readonly kind: 'alive' }
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | { readonly kind: 'gap'; readonly reason: string }
  | { readonly kind: 'facts'; readonly secured: readonly string[]; readonly unreported: readonly string[] };

/** `epoch` is a reader's own, `number` counts its messages. */
type Message = { readonly epoch: string; readonly number: number } & Body;

/** Of a process that has come later: it needs the facts. */
const HELLO = 'hello';

/**
 * A feed that one of several processes reads for all of them. The reader of each other process
 * waits for its turn, and receives the published messages. A missing message, a change of the
 * reading process, or silence counts as a gap.
 * @param reader reports nothing until it is its turn
 */
export function createSharedFeed(reader: ChangeFeed, openBroker: OpenBroker): ChangeFeed {
  const closing = new AbortController();
  const follower = new Follower();
  const leader = new Leader();
  let running: Promise<void> = Promise.resolve();

  const run = async (listener: FeedListener): Promise<void> => {
    while (!closing.signal.aborted) {
      let broker: Broker | undefined;
      try {
        broker = await openBroker((text) => {
          if (text === HELLO) leader.tellFacts();
          else follower.receive(text, listener);
        });
        follower.begin();
        leader.broker = broker;
        broker.publish(HELLO);
        leader.publish({ kind: 'gap', reason: 'The hub was interrupted.' });
        await Promise.race([broker.ended, untilAborted(closing.signal)]);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        listener.state({ state: 'interrupted', reason: `No hub: ${reason}` });
      } finally {
        leader.broker = undefined;
        await broker?.close().catch(() => undefined);
      }
      follower.isLive = false;
      await sleep(RETRY_MILLISECONDS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    start: (listener) => {
      reader.start({
        commits: (commits) => {
          leader.publish({ kind: 'commits', commits });
        },
        gap: (reason) => {
          leader.isReading = true;
          leader.publish({ kind: 'gap', reason });
        },
        state: (state) => {
          if (state.state === 'interrupted') leader.isReading = false;
          // The other processes may read: it matters only that one does.
          if (state.state === 'interrupted' && !follower.isLive) listener.state(state);
        },
        secured: (tables) => {
          leader.secured = [...tables];
        },
        // Nothing but keys leaves this process.
        wantsFormer: () => false,
        unreported: (tables) => {
          leader.unreported = [...tables];
          leader.tellFacts(true);
        },
      });
      follower.watch(listener, closing.signal);
      leader.keepAlive(closing.signal);
      running = run(listener);
    },
    close: async () => {
      closing.abort();
      await reader.close();
      await running;
    },
  };
}

/** Publishes what this process reads, while it is its turn. */
class Leader {
  broker: Broker | undefined;
  isReading = false;
  secured: readonly string[] = [];
  unreported: readonly string[] = [];
  readonly #epoch = randomUUID();
  #number = 0;

  publish(body: Body): void {
    if (!this.isReading) return;
    this.#send(body);
  }

  /** @param always also before it is this process's turn: the facts come first */
  tellFacts(always = false): void {
    if (always || this.isReading) this.#send({ kind: 'facts', secured: this.secured, unreported: this.unreported });
  }

  keepAlive(signal: AbortSignal): void {
    const timer = setInterval(() => {
      this.publish({ kind: 'alive' });
    }, ALIVE_MILLISECONDS).unref();
    signal.addEventListener('abort', () => {
      clearInterval(timer);
    });
  }

  #send(body: Body): void {
    this.#number += 1;
    const message: Message = { epoch: this.#epoch, number: this.#number, ...body };
    const text = JSON.stringify(message);
    if (text.length <= LONGEST_MESSAGE || body.kind === 'facts') this.broker?.publish(text);
    else {
      const gap: Message = { epoch: this.#epoch, number: this.#number, kind: 'gap', reason: tooMany };
      this.broker?.publish(JSON.stringify(gap));
    }
  }
}

/** Receives the messages of the reading process, and detects missing messages. */
class Follower {
  isLive = false;
  #epoch: string | undefined;
  #number = 0;
  #heard = 0;

  /** After a new connection nothing is known. */
  begin(): void {
    this.#epoch = undefined;
  }

  receive(text: string, listener: FeedListener): void {
    const message = parse(text);
    if (message === undefined) return;
    const { epoch, number } = message;
    const isNext = epoch === this.#epoch && number === this.#number + 1;
    this.#heard = Date.now();
    [this.#epoch, this.#number] = [epoch, number];
    if (message.kind === 'facts') {
      listener.secured(new Set(message.secured));
      listener.unreported(new Set(message.unreported));
    }
    if (!this.isLive) {
      this.isLive = true;
      listener.state({ state: 'live' });
    }
    if (message.kind === 'gap') listener.gap(message.reason);
    else if (!isNext) listener.gap('Messages of the hub were missed.');
    if (message.kind === 'commits') listener.commits(message.commits);
  }

  watch(listener: FeedListener, signal: AbortSignal): void {
    const timer = setInterval(() => {
      if (!this.isLive || Date.now() - this.#heard < SILENCE_MILLISECONDS) return;
      this.isLive = false;
      this.#epoch = undefined;
      listener.state({ state: 'interrupted', reason: 'No process reads the changes.' });
    }, ALIVE_MILLISECONDS).unref();
    signal.addEventListener('abort', () => {
      clearInterval(timer);
    });
  }
}

const tooMany = 'Too many rows changed at once to report each.';

/** Publishers are trusted to report changed rows; unknown messages are ignored. */
function parse(text: string): Message | undefined {
  try {
    const message = JSON.parse(text) as Partial<Message>;
    return typeof message.epoch === 'string' && typeof message.number === 'number' ? (message as Message) : undefined;
  } catch {
    return undefined;
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
