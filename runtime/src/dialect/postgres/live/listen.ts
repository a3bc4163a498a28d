import pg from 'pg';
import type { Observer } from '../../../observe/observation.js';
import type { Settings } from '../../../settings/settings.js';
import type { AnnouncementListener, Announcements } from '../../dialect.js';
import { lacking } from '../../lacking.js';
import { keepOpen, type Session } from '../../keep-open.js';
import { connectionEnd, endClient, watchSilence } from '../driver/connection-end.js';
import { clientConfig } from '../driver/pool-config.js';
import { databaseErrorFields } from '../failures/fields.js';
import { lacks } from '../failures/lacks.js';

/** Milliseconds before a lost connection is opened again: the first pause, and the longest. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Waits for `NOTIFY tablewright` on a separate connection. Poolers do not support LISTEN, and
 * PGlite has a single session: there a timer and failing statements notice a change. The pool
 * reports an outage; this connection reconnects silently. An engine without LISTEN is reported
 * once; a standby, too, which is asked again because it may be promoted.
 */
export function listen(
  url: string,
  settings: Settings,
  { announced, opened }: AnnouncementListener,
  observe: Observer,
): Announcements | undefined {
  if (!/^postgres(ql)?:/.test(url) || settings['app.datasource.pooler'] !== 'none') return undefined;
  const config = { ...clientConfig(url, settings), application_name: 'tablewright listen' };
  let isReported = false;
  const close = keepOpen((signal) => openSession(config, announced, signal), {
    firstPause: MIN_PAUSE_MS,
    longestPause: MAX_PAUSE_MS,
    opened,
    interrupted: (error) => {
      if (isReported || !(lacks(error) || isOfStandby(error))) return;
      isReported = true;
      observe(lacking('LISTEN', 'changes of the schema are noticed only by timers and failing statements.', error));
    },
    givesUp: lacks,
  });
  return { close };
}

const isOfStandby = (error: unknown): boolean => databaseErrorFields(error)?.code === '25006';

async function openSession(config: pg.ClientConfig, announced: () => void, signal: AbortSignal): Promise<Session> {
  const client = new pg.Client(config);
  const ended = connectionEnd(client);
  const close = (): void => {
    endClient(client);
  };
  signal.addEventListener('abort', close);
  client.on('notification', announced);
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
