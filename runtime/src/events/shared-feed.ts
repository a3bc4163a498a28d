import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed, Commit, FeedListener } from '../dialect/change-feed.js';
import type { Broker, OpenBroker } from './brokers/broker.js';

/**
 * Milliseconds between two signs of life of the reading process, and milliseconds of silence after
 * which it counts as gone.
 */
const ALIVE_MS = 500;
const SILENCE_MS = 3_000;

const RETRY_MS = 500;

/**
 * Longest message, in characters: NATS takes one megabyte. A longer message is reported as a gap.
 */
const MAX_MESSAGE_LENGTH = 500_000;

/**
 * Each process sends messages to itself, because a silent network closes no connection:
 * milliseconds between two of them, and how many may get lost.
 */
const ECHO_MS = 2_000;
const MAX_LOST = 5;

/** Milliseconds that opening and closing a connection to the broker may take. */
const OPEN_MS = 10_000;
const CLOSE_MS = 1_000;

/** The messages of the reading process to the others. It has keys of rows, and no other value. */
type Body =
  | { readonly kind: 'alive' }
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | { readonly kind: 'gap'; readonly reason: string }
  | { readonly kind: 'facts'; readonly secured: readonly string[]; readonly unreported: readonly string[] };

/** `epoch` identifies a reading process, `number` counts its messages. */
type Message = { readonly epoch: string; readonly number: number } & Body;

/** Sent by a new process, so that the reading process sends the facts again. */
const HELLO = 'hello';

/**
 * A feed that one of several processes reads for all of them. The reader of each other process
 * waits for its turn, and receives the published messages. A missing message, a change of the
 * reading process, or silence counts as a gap.
 * @param reader reports nothing until it is its turn
 */
export function createSharedFeed(reader: ChangeFeed, openBroker: OpenBroker): ChangeFeed {
  const closing = new AbortController();
  const receiver = new FeedReceiver();
  const publisher = new FeedPublisher();
  let running: Promise<void> = Promise.resolve();

  const run = async (listener: FeedListener): Promise<void> => {
    while (!closing.signal.aborted) {
      let broker: Broker | undefined;
      const echo = new Echo();
      const round = new AbortController();
      const closed = untilAborted(closing.signal, round.signal);
      try {
        broker = await openInTime(openBroker, closed, (text) => {
          if (text === HELLO) publisher.publishFacts();
          else if (!echo.isOwn(text)) receiver.receive(text, listener);
        });
        receiver.begin();
        publisher.broker = broker;
        broker.publish(HELLO);
        publisher.publish({ kind: 'gap', reason: 'The hub was interrupted.' });
        await Promise.race([broker.ended, echo.lost(broker), closed]);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        listener.state({ state: 'interrupted', reason: `No hub: ${reason}` });
      } finally {
        round.abort();
        publisher.broker = undefined;
        echo.stop();
        if (broker !== undefined) await Promise.race([broker.close().catch(() => undefined), pause(CLOSE_MS)]);
      }
      receiver.isLive = false;
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  return {
    start: (listener) => {
      reader.start({
        commits: (commits) => {
          publisher.publish({ kind: 'commits', commits });
        },
        gap: (reason) => {
          publisher.isReading = true;
          publisher.publish({ kind: 'gap', reason });
        },
        state: (state) => {
          if (state.state === 'interrupted') publisher.isReading = false;
          // Another process may read instead: one is enough.
          if (state.state === 'interrupted' && !receiver.isLive) listener.state(state);
        },
        secured: (tables) => {
          publisher.secured = [...tables];
        },
        // Messages have keys of rows, and no other values.
        wantsFormer: () => false,
        unreported: (tables) => {
          publisher.unreported = [...tables];
          publisher.publishFacts(true);
        },
      });
      receiver.watch(listener, closing.signal);
      publisher.keepAlive(closing.signal);
      running = run(listener);
    },
    check: () => reader.check(),
    close: async () => {
      closing.abort();
      await reader.close();
      await running;
    },
  };
}

/** Publishes the changes that this process reads, while it is the reading process. */
class FeedPublisher {
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

  /** @param always also before this process is the reading one: the facts precede its changes */
  publishFacts(always = false): void {
    if (always || this.isReading) this.#send({ kind: 'facts', secured: this.secured, unreported: this.unreported });
  }

  keepAlive(signal: AbortSignal): void {
    const timer = setInterval(() => {
      this.publish({ kind: 'alive' });
    }, ALIVE_MS).unref();
    signal.addEventListener('abort', () => {
      clearInterval(timer);
    });
  }

  #send(body: Body): void {
    this.#number += 1;
    const message: Message = { epoch: this.#epoch, number: this.#number, ...body };
    const text = JSON.stringify(message);
    if (text.length <= MAX_MESSAGE_LENGTH || body.kind === 'facts') this.broker?.publish(text);
    else {
      const gap: Message = { epoch: this.#epoch, number: this.#number, kind: 'gap', reason: tooMany };
      this.broker?.publish(JSON.stringify(gap));
    }
  }
}

/** Receives the messages of the reading process, and detects missing ones. */
class FeedReceiver {
  isLive = false;
  #epoch: string | undefined;
  #number = 0;
  #heard = 0;

  /** After a new connection, the next message may be of any process and have any number. */
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
      if (!this.isLive || Date.now() - this.#heard < SILENCE_MS) return;
      this.isLive = false;
      this.#epoch = undefined;
      listener.state({ state: 'interrupted', reason: 'No process reads the changes.' });
    }, ALIVE_MS).unref();
    signal.addEventListener('abort', () => {
      clearInterval(timer);
    });
  }
}

/** Messages of a process to itself. Processes of earlier versions ignore them. */
class Echo {
  readonly #text = `echo ${randomUUID()}`;
  #unheard = 0;
  #timer: NodeJS.Timeout | undefined;

  isOwn(text: string): boolean {
    if (text !== this.#text) return false;
    this.#unheard = 0;
    return true;
  }

  /** Rejects when several messages in a row have not come back. */
  lost(broker: Broker): Promise<never> {
    return new Promise((_, reject) => {
      this.#timer = setInterval(() => {
        if (this.#unheard >= MAX_LOST) reject(new Error('the connection to the broker carries no messages'));
        this.#unheard += 1;
        broker.publish(this.#text);
      }, ECHO_MS).unref();
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Opens a connection to the broker. A connection that opens too late is closed. */
async function openInTime(open: OpenBroker, closed: Promise<void>, receive: (text: string) => void): Promise<Broker> {
  const tooLong = new AbortController();
  const opening = open(receive, tooLong.signal);
  const tooLate = async (): Promise<never> => {
    await Promise.race([pause(OPEN_MS), closed]);
    throw new Error('the broker did not answer in time');
  };
  try {
    return await Promise.race([opening, tooLate()]);
  } catch (error) {
    opening.then(
      (broker) => broker.close().catch(() => undefined),
      () => undefined,
    );
    tooLong.abort();
    throw error;
  }
}

const pause = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { ref: false });

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

/** @param unless from then on it does not listen: a server outlives many brokers */
const untilAborted = (signal: AbortSignal, unless: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { signal: unless },
    );
  });
