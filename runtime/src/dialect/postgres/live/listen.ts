import pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import type { Announcements } from '../../dialect.js';
import { clientConfig } from '../driver/pool-config.js';

/** Milliseconds before a connection that broke is opened again: at first, and at most. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/**
 * Waits for `NOTIFY tablewright` on a connection of its own. A pooler keeps no such connection for anybody, and PGlite has one session alone:
 * there a change is noticed by time, and by failing statements.
 */
export function listen(url: string, settings: Settings, notified: () => void): Announcements | undefined {
  if (!/^postgres(ql)?:/.test(url) || settings['app.datasource.pooler'] !== 'none') return undefined;
  return new Listener(
    () => new pg.Client({ ...clientConfig(url, settings), application_name: 'tablewright listen' }),
    notified,
  );
}

class Listener implements Announcements {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private pause = FIRST_PAUSE;
  private closed = false;
  private broken = false;

  constructor(
    private readonly open: () => pg.Client,
    private readonly notified: () => void,
  ) {
    this.connect();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private connect(): void {
    const client = this.open();
    this.client = client;
    client.on('notification', this.notified);
    // A connection that breaks says so twice, as an error and as its end.
    client.once('end', () => {
      this.again(client);
    });
    client.on('error', () => {
      this.again(client);
    });
    client
      .connect()
      .then(() => client.query('listen tablewright'))
      .then(
        () => {
          this.pause = FIRST_PAUSE;
          // What was announced while nobody listened is not told again.
          if (this.broken) this.notified();
          this.broken = false;
        },
        () => {
          this.again(client);
        },
      );
  }

  /** The pool tells of an outage; this connection is opened again without a word. */
  private again(client: pg.Client): void {
    if (this.closed || this.client !== client) return;
    this.client = undefined;
    this.broken = true;
    client.end().catch(() => undefined);
    this.timer = setTimeout(() => {
      this.connect();
    }, this.pause).unref();
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }
}
