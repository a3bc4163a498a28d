import pg from 'pg';
import type { Settings } from '../../../settings/settings.js';
import type { Announcements } from '../../dialect.js';
import { keepOpen, type Session } from '../../keep-open.js';
import { connectionEnd, endClient, watchSilence } from '../driver/connection-end.js';
import { clientConfig } from '../driver/pool-config.js';

/** Milliseconds before a lost connection is opened again: the first pause, and the longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/**
 * Waits for `NOTIFY tablewright` on a separate connection. Poolers do not support LISTEN, and
 * PGlite has a single session: there a timer and failing statements notice a change. The pool
 * reports an outage; this connection reconnects silently.
 */
export function listen(url: string, settings: Settings, notified: () => void): Announcements | undefined {
  if (!/^postgres(ql)?:/.test(url) || settings['app.datasource.pooler'] !== 'none') return undefined;
  const config = { ...clientConfig(url, settings), application_name: 'tablewright listen' };
  let wasOpen = false;
  const close = keepOpen((signal) => openSession(config, notified, signal), {
    firstPause: FIRST_PAUSE,
    longestPause: LONGEST_PAUSE,
    opened: () => {
      // The database does not repeat announcements of the time without a connection.
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
    endClient(client);
  };
  signal.addEventListener('abort', close);
  client.on('notification', notified);
  try {
    await client.connect();
    watchSilence(client, ended);
    await client.query('listen tablewright');
    return { ended, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
  }
}
