import { codes, ServerError } from '../../errors.js';
import type { BoundStatement } from '../../plan/statement.js';
import type { Position } from '../position.js';
import type { Replication, ServerState } from '../replication.js';
import { databaseErrorFields } from './failures/fields.js';
import { outageOf } from './failures/outage.js';

/**
 * The timeline and the end of the log. Runs after a commit, which ends before it. The name of a
 * segment begins with the timeline, which `pg_control_checkpoint` knows only after a checkpoint.
 */
export const committedPosition: BoundStatement = {
  text: `select left(pg_catalog.pg_walfile_name(lsn), 8) || ' ' || lsn from pg_catalog.pg_current_wal_insert_lsn() lsn`,
  values: [],
};

/**
 * The timeline of a standby is the timeline of the log that it receives. Only members of
 * `pg_read_all_stats` see it. Other roles see the timeline of its last restart point, so that a
 * standby of a promoted server is used again later.
 * Source: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL
 */
const question: BoundStatement = {
  text: `
    select pg_is_in_recovery(),
      (select system_identifier from pg_control_system()),
      case when pg_is_in_recovery() then lpad(to_hex(coalesce(
        (select received_tli from pg_stat_wal_receiver where status = 'streaming'),
        (select timeline_id from pg_control_checkpoint()))), 8, '0') || ' ' || pg_last_wal_replay_lsn()
      else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ' ' || pg_current_wal_insert_lsn() end,
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end,
      current_setting('wal_block_size'), pg_size_bytes(current_setting('wal_segment_size'))`,
  values: [],
};

/** Bytes of the header of a page of the log, and of the first page of a segment. */
const PAGE_HEADER = 24n;
const SEGMENT_HEADER = 40n;

/** Streaming replication. Source: https://www.postgresql.org/docs/current/warm-standby.html */
export const replication: Replication = {
  state: async (server) => {
    const [row] = await server.run([question]);
    const [inRecovery, system = '', told = '', sent = '', block = '0', segment = '0'] = (row ?? []).map(
      (each) => each ?? '',
    );
    const positionOf: ServerState['positionOf'] = (committed) => {
      const [timeline = '', lsn = ''] = committed.split(' ');
      const mark = markOf(lsn);
      return mark === undefined
        ? undefined
        : at(system, parseInt(timeline, 16), withoutHeader(mark, BigInt(block), BigInt(segment)));
    };
    const position = positionOf(told);
    const mark = markOf(sent);
    if (position === undefined || mark === undefined) throw new Error('A server does not know its position.');
    const term = parseInt(told, 16);
    return {
      system,
      role: inRecovery === 't' ? 'replica' : 'primary',
      term,
      position,
      sent: at(system, term, mark),
      positionOf,
    };
  },
  format: ({ history, marks }) => {
    const mark = marks.get('') ?? 0n;
    return `${history}.${hex(mark >> 32n)}/${hex(mark & 0xffff_ffffn)}`;
  },
  parse: (text) => {
    const [, history = '', lsn = ''] = /^(\d{1,20}\.\d{1,10})\.([\dA-F]{1,8}\/[\dA-F]{1,8})$/.exec(text) ?? [];
    const mark = markOf(lsn);
    return mark === undefined ? undefined : { history, marks: new Map([['', mark]]) };
  },
  failsThere: (error) => {
    const code = databaseErrorFields(error instanceof ServerError ? error.cause : error)?.code ?? '';
    if (never.has(code)) return 'always';
    const isGone = error instanceof ServerError && error.code === codes.unavailable;
    return notNow.has(code) || isGone || outageOf(error) !== undefined ? 'once' : undefined;
  },
};

/** Writes, such as `nextval`, and unlogged tables: "cannot access … relations during recovery". */
const never: ReadonlySet<string> = new Set(['25006', '0A000']);

/**
 * A conflict with recovery, which also ends connections, and names and rights that have not arrived
 * there yet. Source: https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CONFLICT
 */
const notNow: ReadonlySet<string> = new Set(['40001', '3F000', '42501', '42703', '42704', '42883', '42P01']);

const at = (system: string, timeline: number, mark: bigint): Position => ({
  history: `${system}.${String(timeline)}`,
  marks: new Map([['', mark]]),
});

/**
 * A position right after the end of a page is behind the header of the next page. Replay stops
 * before the header until there is another record.
 */
function withoutHeader(mark: bigint, block: bigint, segment: bigint): bigint {
  if (segment > 0n && mark % segment === SEGMENT_HEADER) return mark - SEGMENT_HEADER;
  return block > 0n && mark % block === PAGE_HEADER ? mark - PAGE_HEADER : mark;
}

function markOf(lsn: string): bigint | undefined {
  const [, high, low] = /^([\dA-F]+)\/([\dA-F]+)$/.exec(lsn) ?? [];
  return high === undefined || low === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

const hex = (value: bigint): string => value.toString(16).toUpperCase();
