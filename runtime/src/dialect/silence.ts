/**
 * Milliseconds beyond the time limit of a statement in which its answer may still arrive: the
 * database has stopped the statement by then.
 */
const MARGIN_MS = 4_000;

/** Milliseconds between two checks of all connections of a pool. */
const LOOK_INTERVAL_MS = 1_000;

/** Milliseconds in which a server has to confirm the end of a connection. */
const FAREWELL_TIMEOUT_MS = 1_000;

/** Milliseconds without a byte after which the operating system probes the server. */
export const KEEP_ALIVE_MILLISECONDS = 10_000;

/** The facts about a connection that tell whether the server is silent. */
export interface Attended {
  /** Bytes received on the connection. */
  readonly bytesRead: number;
  /** Identifies the statement whose answer is awaited; undefined if there is none. */
  readonly awaited: unknown;
  /** Milliseconds that the database lets the statement run; 0: no limit. */
  readonly allowed: number;
  /** Ends the connection without asking the server. Its statement fails with this error. */
  cut(error: Error): void;
}

interface Silence {
  readonly awaited: unknown;
  readonly bytesRead: number;
  milliseconds: number;
}

/**
 * Cuts connections that receive no byte for longer than their statement may run: the network drops
 * packets without an error. One timer checks all connections of a pool, so that requests need no
 * timers.
 */
export class SilenceWatch {
  readonly #silences = new Map<Attended, Silence | undefined>();
  readonly #timer: NodeJS.Timeout;

  /** @param onCut called after a connection was cut: other connections may be silent too */
  constructor(private readonly onCut: () => void) {
    this.#timer = setInterval(() => {
      // Reads arrived bytes first: this process may have been busy.
      setImmediate(this.#look);
    }, LOOK_INTERVAL_MS).unref();
  }

  add(connection: Attended): void {
    this.#silences.set(connection, undefined);
  }

  delete(connection: Attended): void {
    this.#silences.delete(connection);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  readonly #look = (): void => {
    for (const [connection, before] of this.#silences) {
      const { awaited, bytesRead, allowed } = connection;
      if (awaited === undefined) {
        if (before !== undefined) this.#silences.set(connection, undefined);
      } else if (before?.awaited !== awaited || before.bytesRead !== bytesRead) {
        this.#silences.set(connection, { awaited, bytesRead, milliseconds: 0 });
      } else {
        // Counts looks, not time: a stopped process receives nothing either.
        before.milliseconds += LOOK_INTERVAL_MS;
        if (allowed > 0 && before.milliseconds >= allowed + MARGIN_MS) this.#cut(connection, before.milliseconds);
      }
    }
  };

  #cut(connection: Attended, milliseconds: number): void {
    this.#silences.delete(connection);
    connection.cut(silent(milliseconds));
    this.onCut();
  }
}

/** Both drivers and both dialects treat this error as a lost connection. */
export const silent = (milliseconds: number): Error =>
  Object.assign(new Error(`Connection terminated: the database has sent nothing for ${String(milliseconds)} ms`), {
    code: 'ETIMEDOUT',
  });

/** The error of connections that are cut when the server closes. */
export const cutAtClose = (): Error =>
  Object.assign(new Error('Connection terminated: the server is closing'), { code: 'EPIPE' });

/**
 * Destroys the socket of an ending connection, unless the server closes it soon.
 * @param ended resolves when it is closed
 */
export function endSoon(ended: Promise<unknown>, destroy: () => void): void {
  const timer = setTimeout(destroy, FAREWELL_TIMEOUT_MS);
  const stop = (): void => {
    clearTimeout(timer);
  };
  ended.then(stop, stop);
}

/** Milliseconds between two questions on a connection that is often idle for long. */
const BEAT_MS = 5_000;

/**
 * Milliseconds in which the answer has to arrive: a statement that runs before it takes less time.
 */
const ANSWER_MS = 10_000;

/**
 * Asks a connection that is not of a pool from time to time, and cuts it when it does not answer: a
 * connection that only listens would not notice a silent network.
 * @param ask resolves when the server has answered; queued behind the statement that runs
 * @param ended settles when the connection has ended
 */
export function keepAsking(ask: () => Promise<unknown>, ended: Promise<unknown>, cut: (error: Error) => void): void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => {
    timer = setTimeout(() => {
      cut(silent(ANSWER_MS));
    }, ANSWER_MS).unref();
    // A failure shows as the end of the connection.
    ask().then(wait, wait);
  };
  const wait = (): void => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(beat, BEAT_MS).unref();
  };
  const over = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  ended.then(over, over);
  beat();
}
