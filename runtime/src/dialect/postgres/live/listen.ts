import pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import type { Announcements } from '../../dialect.js';
import { keepOpen, type Session } from '../../keep-open.js';
import { connectionEnd } from '../driver/connection-end.js';
import { clientConfig } from '../driver/pool-config.js';

/** Milliseconds before a connection that broke is opened again: at first, and at most. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/**
 * Waits for `NOTIFY tablewright` on a connection of its own. A pooler keeps no such connection for
 * anybody, and PGlite has one session alone: there a change is noticed by time, and by failing
 * statements. The pool reports an outage; this connection is opened again silently.
 */
export function listen(url: string, settings: Settings, notified: () => void): Announcements | undefined {
  if (!/^postgres(ql)?:/.test(url) || settings['app.datasource.pooler'] !== 'none') return undefined;
  const config = { ...clientConfig(url, settings), application_name: 'tablewright listen' };
  let wasOpen = false;
  const close = keepOpen((signal) => openSession(config, notified, signal), {
    firstPause: FIRST_PAUSE,
    longestPause: LONGEST_PAUSE,
    opened: () => {
      // Announcements during the outage are not repeated.
      if (wasOpen) notified();
      wasOpen = true;
    },
  });
  return { close };
}

async function openSession(config: pg.ClientConfig, notified: () => void, signal: AbortSignal): Promise<Session> {
  const client = new pg.Client(config);
  const ended = connectionEnd(client);
  const close = (): void => {
    void client.end().catch(() => undefined);
  };
  signal.addEventListener('abort', close);
  client.on('notification', notified);
  try {
    await client.connect();
    await client.query('listen tablewright');
    return { ended, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
  }
}
