import type { Settings } from '../../../settings/settings.js';
import type { BoundStatement } from '../../../plan/statement.js';
import { noIdentity } from '../identity.js';
import type { Features } from '../start-up/features.js';
import { isRepeated } from '../start-up/zone.js';

/**
 * The time zone of a session. `own`: that of the database. `fixed`: the offset that the database's
 * zone has now, which repeats no hour.
 */
export type SessionZone = 'utc' | 'own' | 'fixed';

const local = "convert_tz(utc_timestamp(), '+00:00', @@global.time_zone)";
const between = `timediff(greatest(${local}, utc_timestamp()), least(${local}, utc_timestamp()))`;

const zones: Readonly<Record<SessionZone, string>> = {
  utc: "'+00:00'",
  own: 'default',
  fixed: `concat(if(${local} < utc_timestamp(), '-', '+'), time_format(${between}, '%H:%i'))`,
};

export const timeZone = (zone: SessionZone): string => `time_zone = ${zones[zone]}`;

/**
 * The zone for statements of the compiler. In the database's zone, an instant of an hour that
 * clocks repeat has the same text as another one.
 */
export const zoneFor = ({ zone }: Features, statements: readonly BoundStatement[]): SessionZone => {
  if (zone === undefined) return 'utc';
  return statements.some(({ values }) => values.some((value) => isRepeated(zone, value))) ? 'fixed' : 'own';
};

/**
 * In strict mode a value that does not fit is an error. A backslash is an ordinary character.
 * Zero dates are values like others: columns may have them, and default to them.
 * ONLY_FULL_GROUP_BY is left out: MariaDB treats rows around a subselect with an aggregate as
 * ungrouped columns and refuses valid statements.
 */
const sqlMode = [
  'STRICT_ALL_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'NO_BACKSLASH_ESCAPES',
].join(',');

/**
 * The settings of every session of the pool as one statement, which is sent again after each write.
 * The session is read only: a write begins its own transaction. GROUP_CONCAT and JSON_ARRAYAGG cut
 * their texts at `group_concat_max_len` with only a warning, so it is as large as strict mode
 * allows.
 */
export const sessionStart = (settings: Settings, zone: SessionZone = 'utc'): string =>
  `set sql_mode = '${sqlMode}', autocommit = 1, ${afterTriggers(settings, zone)}`;

/**
 * The settings to send again after triggers and functions: they cannot change the other settings.
 * Locks of GET_LOCK outlive a transaction, so they are released.
 */
export const sessionAgain = (settings: Settings, zone: SessionZone): string => `set ${afterTriggers(settings, zone)}`;

/**
 * Settings of the server, or of a trigger, with which statements would mean something else or fail:
 * - a limit would cut answers, and safe updates and small joins refuse statements
 * - `id is null` would find the row that was inserted last
 * - constraints would not be checked
 * - failures would not be recognized by their messages
 */
const steady = [
  'sql_select_limit = 18446744073709551615',
  'sql_safe_updates = 0',
  'sql_big_selects = 1',
  'sql_auto_is_null = 0',
  'foreign_key_checks = 1',
  'unique_checks = 1',
  "lc_messages = 'en_US'",
].join(', ');

/**
 * Settings that change only what the database itself computes: they are those of the database for
 * every client, also after a trigger or a function has set them.
 */
const defaults = ['div_precision_increment', 'max_sort_length', 'lc_time_names', 'default_week_format'];

const afterTriggers = (settings: Settings, zone: SessionZone): string =>
  `@\`tablewright.locks\` = release_all_locks(), ${timeZone(zone)}, group_concat_max_len = 1073741824, character_set_results = 'utf8mb4', ` +
  `${steady}, ${defaults.map((name) => `${name} = default`).join(', ')}, ${noIdentity}, ` +
  `/*M! check_constraint_checks = 1, timestamp = default, system_versioning_asof = default, */ ` +
  `${timeLimit(settings['app.datasource.statement-timeout-ms'])} ` +
  `/*M! , tx_isolation = 'READ-COMMITTED', tx_read_only = 1 */ ` +
  `/*!80000 , transaction_isolation = 'READ-COMMITTED', transaction_read_only = 1 */`;

/**
 * The session variable that limits the duration of a statement; 0: no limit. MariaDB counts in
 * seconds, MySQL in milliseconds. Each server runs only its own comment, because it is not known
 * yet which server it is.
 * Sources: MariaDB, "Comment Syntax"; MySQL 8.0, 11.7.
 */
export const timeLimit = (milliseconds: number): string =>
  `/*M! max_statement_time = ${(milliseconds / 1000).toFixed(3)} */ /*!80000 max_execution_time = ${milliseconds.toFixed(0)} */`;
