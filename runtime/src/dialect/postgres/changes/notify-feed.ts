import pg from 'pg';
import type { Commit, FeedListener, RowChange, RowOperation, WatchedTable } from '../../change-feed.js';
import { tableKey } from '../../change-feed.js';
import { connectionEnd, endClient, watchSilence } from '../driver/connection-end.js';
import { askClient, missingFrom, readSourceFacts } from './facts.js';
import type { OpenSession } from '../../feed-session.js';
import { notifyChannel } from './sql.js';
import { publication } from './publication.js';

/**
 * Sessions that listen to the triggers that `tablewright changes --sql` prints. A notification
 * comes when its commit is visible.
 */
export function notifySession(config: pg.ClientConfig, watched: readonly WatchedTable[]): OpenSession {
  return async (listener) => {
    const client = new pg.Client(config);
    const ended = connectionEnd(client);
    try {
      await client.connect();
      watchSilence(client, ended);
      const check = async (): Promise<void> => {
        const { secured, triggered } = await readSourceFacts(askClient(client), publication);
        listener.secured(secured);
        listener.unreported(missingFrom(watched, triggered));
      };
      await check();
      const known = new Map(watched.map((table) => [tableKey(table), table]));
      client.on('notification', ({ payload }) => {
        receiveNotification(payload, known, listener);
      });
      await client.query(`listen ${notifyChannel}`);
      return {
        ended,
        check,
        close: () => {
          endClient(client);
        },
      };
    } catch (error) {
      endClient(client);
      throw error;
    }
  };
}

/** The message of the triggers: see sql.ts. `keys` is absent if there were too many. */
interface Notification {
  readonly schema: string;
  readonly table: string;
  readonly at: string;
  readonly secured: boolean;
  readonly operation: RowOperation | 'TRUNCATE';
  readonly keys?: readonly (readonly (string | null)[])[];
  readonly changed?: readonly string[];
}

/** Reports a notification. Any client may send one, so unknown messages are ignored. */
export function receiveNotification(
  payload: string | undefined,
  watched: ReadonlyMap<string, WatchedTable>,
  listener: Pick<FeedListener, 'commits'>,
): void {
  const notification = parse(payload);
  if (notification === undefined) return;
  const { schema, table: name, at, secured, operation, keys, changed } = notification;
  const table = watched.get(tableKey({ schema, name }));
  if (table === undefined) return;
  const rows = operation === 'TRUNCATE' || keys === undefined ? 'unknown' : rowsOf({ operation, changed }, keys, table);
  const commit: Commit = { timestamp: at, tables: [{ schema, name, rowSecurity: secured, rows }] };
  listener.commits([commit]);
}

function rowsOf(
  { operation, changed }: { readonly operation: RowOperation; readonly changed: readonly string[] | undefined },
  keys: readonly (readonly (string | null)[])[],
  table: WatchedTable,
): readonly RowChange[] | 'unknown' {
  const rows: RowChange[] = [];
  for (const values of keys) {
    const key = values.filter((value) => typeof value === 'string');
    if (key.length !== table.key.length) return 'unknown';
    rows.push(changed === undefined ? { operation, key } : { operation, key, changed });
  }
  return rows;
}

function parse(payload: string | undefined): Notification | undefined {
  try {
    const given = JSON.parse(payload ?? '') as Partial<Notification>;
    const { schema, table, at, secured, operation, keys, changed } = given;
    if (typeof schema !== 'string' || typeof table !== 'string' || typeof at !== 'string') return undefined;
    if (typeof secured !== 'boolean' || !isOperation(operation)) return undefined;
    const isList = Array.isArray(keys) && keys.every((each) => Array.isArray(each));
    const areNames = Array.isArray(changed) && changed.every((each) => typeof each === 'string');
    return { schema, table, at, secured, operation, ...(isList ? { keys } : {}), ...(areNames ? { changed } : {}) };
  } catch {
    return undefined;
  }
}

const isOperation = (value: unknown): value is Notification['operation'] =>
  value === 'INSERT' || value === 'UPDATE' || value === 'DELETE' || value === 'TRUNCATE';
