import type { Settings } from '../../../settings/settings.js';

/**
 * In strict mode a value that does not fit is an error. A backslash is a character like any other. ONLY_FULL_GROUP_BY is left
 * out: MariaDB takes rows around a subselect of an aggregate for ungrouped columns, and refuses what is right.
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
 * What every session of ours has. It reads only: a write begins its own transaction. GROUP_CONCAT and JSON_ARRAYAGG cut
 * their texts at `group_concat_max_len` with a warning only: it is as large as strict mode allows.
 */
export const sessionStart = (settings: Settings): readonly string[] => [
  `set sql_mode = '${sqlMode}', time_zone = '+00:00', group_concat_max_len = 1073741824, ` +
    `max_statement_time = ${seconds(settings['app.datasource.statement-timeout-ms'])}, ` +
    `tx_isolation = 'READ-COMMITTED', autocommit = 1`,
  'set session transaction read only',
];

/** Milliseconds as the seconds that MariaDB counts in; 0: no limit. */
export const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** How long a statement of a run may take. */
export const timeoutOf = (settings: Settings, isRead: boolean): number =>
  (isRead ? undefined : settings['app.datasource.write-timeout-ms']) ?? settings['app.datasource.statement-timeout-ms'];
