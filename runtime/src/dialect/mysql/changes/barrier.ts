import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { LogPosition } from './decoder.js';

/** Milliseconds between two checks: no pause at first, then at most this long. */
const MAX_PAUSE_MS = 16;

/**
 * The log has a commit before the storage engine makes it visible: a read right after it may still
 * get the old row. A consistent snapshot reports the position in the log up to which it sees all
 * commits.
 * Source:
 * https://mariadb.com/docs/server/ha-and-performance/standard-replication/enhancements-for-start-transaction-with-consistent-snapshot
 */
const snapshotPosition = `select
  max(case when variable_name = 'BINLOG_SNAPSHOT_FILE' then variable_value end) as file,
  max(case when variable_name = 'BINLOG_SNAPSHOT_POSITION' then variable_value end) as place
  from information_schema.session_status where variable_name in ('BINLOG_SNAPSHOT_FILE', 'BINLOG_SNAPSHOT_POSITION')`;

/** Resolves when a new read sees all commits up to this position. */
export async function untilVisible(connection: Connection, end: LogPosition): Promise<void> {
  for (let pause = 0; ; pause = Math.min(pause * 2 || 1, MAX_PAUSE_MS)) {
    await connection.query('start transaction with consistent snapshot');
    const [[row]] = await connection.query<RowDataPacket[]>(snapshotPosition);
    await connection.query('commit');
    if (!isBefore({ file: String(row?.['file']), offset: Number(row?.['place']) }, end)) return;
    if (pause > 0) await sleep(pause);
  }
}

/** Files are numbered: `binlog.000012`. */
function isBefore(one: LogPosition, other: LogPosition): boolean {
  const [first, second] = [numberOf(one.file), numberOf(other.file)];
  return first < second || (first === second && one.offset < other.offset);
}

const numberOf = (file: string): number => Number(/(\d+)$/.exec(file)?.[1] ?? 0);
