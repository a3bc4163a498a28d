import type { Settings } from '../../../settings/settings.js';
import { noIdentity } from '../identity.js';

/**
 * In strict mode a value that does not fit is an error. A backslash is an ordinary character.
 * ONLY_FULL_GROUP_BY is left out: MariaDB treats rows around a subselect with an aggregate as
 * ungrouped columns and refuses valid statements.
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
 * The settings of every session of the pool as one statement, which is sent again after each write.
 * The session is read only: a write begins its own transaction. GROUP_CONCAT and JSON_ARRAYAGG cut
 * their texts at `group_concat_max_len` with only a warning, so it is as large as strict mode
 * allows.
 */
export const sessionStart = (settings: Settings): string =>
  `set sql_mode = '${sqlMode}', autocommit = 1, ${afterTriggers(settings)}`;

/**
 * The settings to send again after triggers and functions: they cannot change the other settings.
 * Triggers and functions may also set variables that the server never sets and that change answers:
 * these get their defaults. Locks of GET_LOCK outlive a transaction, so they are released.
 */
export const sessionAgain = (settings: Settings): string => `set ${afterTriggers(settings)}`;

const defaults = [
  'sql_select_limit',
  'div_precision_increment',
  'max_sort_length',
  'lc_time_names',
  'default_week_format',
];

const afterTriggers = (settings: Settings): string =>
  `@\`tablewright.locks\` = release_all_locks(), time_zone = '+00:00', group_concat_max_len = 1073741824, character_set_results = 'utf8mb4', ` +
  `${defaults.map((name) => `${name} = default`).join(', ')}, ${noIdentity}, ` +
  `/*M! timestamp = default, system_versioning_asof = default, */ ` +
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
