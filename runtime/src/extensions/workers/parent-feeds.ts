import type { ChangeFeed } from '../../dialect/change-feed.js';
import type { FeedMaker } from '../../server/change-hub.js';
import { batchText, eventText, type FeedEvent } from './feed-text.js';
import type { Watch } from './protocol.js';

/** A worker, as feeds see it. */
export interface FeedReader {
  /** Characters that the worker has not taken yet. */
  readonly unsent: number;
  readonly post: (text: string, sent: () => void) => void;
}

/**
 * Most characters that may wait for a worker. A worker beyond this bound loses changes, and
 * receives a gap in their place.
 */
const MAX_UNSENT = 16_000_000;

/** Longest text of an event. A longer one is reported as a gap. */
const MAX_EVENT_LENGTH = 8_000_000;

/**
 * The change feeds of all workers: one for each set of tables, which is one but for the moments
 * when workers pass on to another version of their code or of the database.
 */
export class ParentFeeds {
  readonly #feeds = new Map<string, ParentFeed>();

  constructor(private readonly make: FeedMaker) {}

  watch(reader: FeedReader, { key, tables }: Watch): void {
    const known = this.#feeds.get(key);
    if (known !== undefined) {
      known.join(reader);
      return;
    }
    const feed = this.make(tables);
    if (feed === undefined) return;
    const opened = new ParentFeed(key, feed);
    this.#feeds.set(key, opened);
    opened.join(reader);
    opened.start();
  }

  unwatch(reader: FeedReader, key: string): void {
    const feed = this.#feeds.get(key);
    if (feed?.leave(reader) !== true) return;
    this.#feeds.delete(key);
    void feed.close();
  }

  /** A worker has ended. */
  left(reader: FeedReader): void {
    for (const key of [...this.#feeds.keys()]) this.unwatch(reader, key);
  }

  async check(): Promise<void> {
    await Promise.all([...this.#feeds.values()].map((feed) => feed.check()));
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#feeds.values()].map((feed) => feed.close()));
  }
}

/** A feed whose events go to several workers, in one text for each turn of the event loop. */
class ParentFeed {
  /** By worker: whether it has lost events, and is to be told. */
  readonly #readers = new Map<FeedReader, { isBehind: boolean }>();
  #events: string[] = [];
  #length = 0;
  #state: Extract<FeedEvent, { kind: 'state' }> = { kind: 'state', state: { state: 'connecting' } };
  #secured: FeedEvent | undefined;
  #unreported: FeedEvent | undefined;

  constructor(
    private readonly key: string,
    private readonly feed: ChangeFeed,
  ) {}

  start(): void {
    this.feed.start({
      commits: (commits) => {
        this.#add({ kind: 'commits', commits });
      },
      gap: (reason) => {
        this.#add({ kind: 'gap', reason });
      },
      state: (state) => {
        this.#add((this.#state = { kind: 'state', state }));
      },
      secured: (tables) => {
        this.#add((this.#secured = { kind: 'secured', tables: [...tables] }));
      },
      unreported: (tables) => {
        this.#add((this.#unreported = { kind: 'unreported', tables: [...tables] }));
      },
      // Which subscribers a worker has is not known here.
      wantsFormer: () => true,
    });
  }

  join(reader: FeedReader): void {
    this.#flush();
    this.#readers.set(reader, { isBehind: false });
    this.#catchUp(reader, 'The change feed has begun.');
  }

  /** Returns whether it was the last one. */
  leave(reader: FeedReader): boolean {
    return this.#readers.delete(reader) && this.#readers.size === 0;
  }

  check(): Promise<void> {
    return this.feed.check();
  }

  close(): Promise<void> {
    return this.feed.close();
  }

  #add(event: FeedEvent): void {
    let text = eventText(event);
    if (text.length > MAX_EVENT_LENGTH)
      text = eventText({ kind: 'gap', reason: 'Too many rows changed at once to report each.' });
    if (this.#events.length === 0) setImmediate(this.#flush);
    this.#events.push(text);
    this.#length += text.length;
    if (this.#length > MAX_EVENT_LENGTH) this.#flush();
  }

  readonly #flush = (): void => {
    if (this.#events.length === 0) return;
    const text = batchText(this.key, this.#events);
    [this.#events, this.#length] = [[], 0];
    for (const [reader, read] of this.#readers) {
      if (!read.isBehind && reader.unsent + text.length <= MAX_UNSENT) this.#post(reader, text);
      else read.isBehind = true;
    }
  };

  #post(reader: FeedReader, text: string): void {
    reader.post(text, () => {
      const read = this.#readers.get(reader);
      if (read?.isBehind !== true || reader.unsent > 0) return;
      read.isBehind = false;
      this.#catchUp(reader, 'This process received changes more slowly than they were made.');
    });
  }

  /** What a worker has to know that has not received the events so far. */
  #catchUp(reader: FeedReader, reason: string): void {
    const facts: FeedEvent[] = [this.#secured, this.#unreported, this.#state].filter((event) => event !== undefined);
    // A feed that is not live begins with a gap when it is.
    if (this.#state.state.state === 'live') facts.push({ kind: 'gap', reason });
    this.#post(reader, batchText(this.key, facts.map(eventText)));
  }
}
