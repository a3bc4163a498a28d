import type { Settings } from '../../../settings/settings.js';

/**
 * In strict mode a value that does not fit is an error. A backslash is a character like any other.
 * ONLY_FULL_GROUP_BY is left out: MariaDB takes rows around a subselect of an aggregate for
 * ungrouped columns, and refuses valid statements.
 */
const sqlMode = [
  'STRICT_ALL_TABLES',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'NO_BACKSLASH_ESCAPES',
].join(',');

/**
 * The settings of every session of ours, in one statement, which is sent after each write. The
 * session reads only: a write begins its own transaction. GROUP_CONCAT and JSON_ARRAYAGG cut their
 * texts at `group_concat_max_len` with a warning only: it is as large as strict mode allows.
 */
export const sessionStart = (settings: Settings): string =>
  `set sql_mode = '${sqlMode}', autocommit = 1, ${afterTriggers(settings)}`;

/** The same where no code but triggers and functions has run: they cannot change the others. */
export const sessionAgain = (settings: Settings): string => `set ${afterTriggers(settings)}`;

const afterTriggers = (settings: Settings): string =>
  `time_zone = '+00:00', group_concat_max_len = 1073741824, ` +
  `${timeLimit(settings['app.datasource.statement-timeout-ms'])} ` +
  `/*M! , tx_isolation = 'READ-COMMITTED', tx_read_only = 1 */ ` +
  `/*!80000 , transaction_isolation = 'READ-COMMITTED', transaction_read_only = 1 */`;

/**
 * The variable of a session that limits how long a statement may take; 0: no limit. MariaDB counts
 * in seconds, MySQL in milliseconds. Each runs the comment that is meant for it: it is not known
 * yet which of the two the server is. Sources: MariaDB, "Comment Syntax"; MySQL 8.0, 11.7.
 */
export const timeLimit = (milliseconds: number): string =>
  `/*M! max_statement_time = ${(milliseconds / 1000).toFixed(3)} */ /*!80000 max_execution_time = ${milliseconds.toFixed(0)} */`;

/** How long a statement of a run may take. */
export const timeoutOf = (settings: Settings, isRead: boolean): number =>
  (isRead ? undefined : settings['app.datasource.write-timeout-ms']) ?? settings['app.datasource.statement-timeout-ms'];
