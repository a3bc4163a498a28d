import type { FailedStatement } from '../../../plan/failure.js';
import { codes, type FailureKind } from '../../../errors.js';
import { isGeometryError } from '../parameters/geometry.js';
import { isOtherKeyError } from '../write/other-key.js';
import type { DatabaseErrorFields } from './fields.js';

/**
 * The meaning of an error. The message is the runtime's, so that no value of a row reaches a
 * client.
 */
export interface Meaning {
  readonly kind: FailureKind;
  /** PostgreSQL's SQLSTATE for the same failure: clients of both databases check the same code. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const duplicate: Meaning = { kind: 'unique', code: '23505', message: 'A row with this key exists already.' };
const denied: Meaning = {
  kind: 'denied',
  code: '42501',
  message: 'Permission denied.',
  hint: 'The database does not allow this to the account that the server connects as.',
};
const unavailable: Meaning = { kind: 'unavailable', code: '57P01', message: 'The database is not available.' };
const crowded: Meaning = { ...unavailable, code: '53300' };
const timeout: Meaning = {
  kind: 'timeout',
  code: '57014',
  message: 'The database took too long.',
  hint: 'Ask for fewer rows or filter by an index.',
};
const outdated: Meaning = {
  kind: 'outdated',
  code: '42P01',
  message: 'The database no longer has this table.',
  hint: 'Generate the server again.',
};
const refersToNothing: Meaning = {
  kind: 'foreignKey',
  code: '23503',
  message: 'The row refers to a row that does not exist.',
  hint: 'Insert that row first, or refer to another one.',
};
const isReferredTo: Meaning = {
  kind: 'foreignKey',
  code: '23503',
  message: 'Other rows still refer to the row.',
  hint: 'Change or delete those rows first.',
};
const notNull: Meaning = { kind: 'notNull', code: '23502', message: 'A column that must not be null has no value.' };
const readOnly: Meaning = {
  kind: 'readOnly',
  code: '25006',
  message: 'The database accepts no writes at the moment: it is read only, or a replica.',
  hint: 'Nothing was written. Send it again in a moment.',
};
const invalid: Meaning = {
  kind: 'invalidValue',
  code: '22P02',
  message: 'A value does not have the form its type needs.',
};

const locked: Meaning = {
  kind: 'locked',
  code: '55P03',
  message: 'Another request holds a lock that this one needs.',
  hint: 'Nothing was written. Send it again in a moment.',
};
const malformedExpression: Meaning = {
  kind: 'malformed',
  code: '2201B',
  message: 'The regular expression is malformed.',
};

/** Only a raw search can be malformed: the others are written by the server. */
const malformedSearch: Meaning = {
  kind: 'malformed',
  code: '42601',
  message: 'The full-text query is malformed.',
  hint: 'plfts and wfts (search and webSearch over GraphQL) take any text.',
};

const numbersBetween = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/**
 * Sources: https://mariadb.com/kb/en/mariadb-error-code-reference/; MySQL 8.0 Error Message
 * Reference, "Server Error Message Reference".
 */
const meanings: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [1062, duplicate],
  [1452, refersToNothing],
  [1216, refersToNothing],
  [1451, isReferredTo],
  [1217, isReferredTo],
  [1048, notNull],
  [1364, notNull],
  [4025, { kind: 'check', code: '23514', message: 'The row breaks a check of its table.' }],
  [3819, { kind: 'check', code: '23514', message: 'The row breaks a check of its table.' }],
  [
    1369,
    {
      kind: 'denied',
      code: '42501',
      message: 'Permission denied.',
      hint: 'Nothing was written: the view does not allow the row as it would be.',
    },
  ],
  [1142, denied],
  [1143, denied],
  [1044, denied],
  [1370, denied],
  [1227, denied],
  [
    1213,
    {
      kind: 'serialization',
      code: '40P01',
      message: 'The request conflicted with another one.',
      hint: 'Send it again.',
    },
  ],
  [
    1020,
    {
      kind: 'serialization',
      code: '40001',
      message: 'The request conflicted with another one.',
      hint: 'Send it again.',
    },
  ],
  [1205, locked],
  [1317, timeout],
  [1969, timeout],
  [3024, timeout],
  [1040, crowded],
  [1203, crowded],
  [1226, crowded],
  [1461, crowded],
  [1053, unavailable],
  [1927, unavailable],
  [1290, readOnly],
  [1836, readOnly],
  [1792, readOnly],
  [1406, { kind: 'invalidValue', code: '22001', message: 'A text is longer than its column takes.' }],
  [1264, { kind: 'invalidValue', code: '22003', message: 'A number is out of the range of its type.' }],
  [1265, invalid],
  [1366, invalid],
  [1292, invalid],
  [1411, invalid],
  [1416, invalid],
  [3140, invalid],
  [3156, invalid],
  [
    1267,
    {
      kind: 'malformed',
      code: '22P05',
      message: 'A value has a character that the character set of its column does not have.',
      hint: 'Compare with characters of that set only, or change the column to utf8mb4.',
    },
  ],
  [1139, malformedExpression],
  // MySQL uses ICU for regular expressions, which has an error for each kind of malformed pattern.
  ...numbersBetween(3685, 3700).map((number): readonly [number, Meaning] => [number, malformedExpression]),
  [3572, locked],
  [
    1690,
    {
      kind: 'limit',
      code: codes.limitExceeded,
      message: 'The answer is too large for the database, or a number is out of range.',
      hint: 'Ask for fewer rows or columns at once. The limit is max_allowed_packet of the database.',
    },
  ],
  [
    1153,
    {
      kind: 'limit',
      code: codes.limitExceeded,
      message: 'The request is larger than the database takes at once.',
      hint: 'Write fewer rows at once. The limit is max_allowed_packet of the database.',
    },
  ],
  [1191, { ...outdated, code: '42704', message: 'The database no longer has such a full-text index.' }],
  [1146, outdated],
  [1051, outdated],
  [1054, { ...outdated, code: '42703', message: 'The database no longer has this column.' }],
  [1305, { ...outdated, code: '42883', message: 'The database no longer has this function or procedure.' }],
  [
    1356,
    {
      kind: 'broken',
      code: '42P01',
      message: 'A view of the database uses an object that does not exist, or that its account may not use.',
      hint: 'The maintainers of the database have to correct it.',
    },
  ],
]);

const withoutDefiner: Meaning = {
  kind: 'broken',
  code: '28000',
  message: 'A view, trigger, function or procedure of the database runs as an account that does not exist.',
  hint: 'The maintainers of the database have to create it again with another DEFINER: tablewright doctor names it.',
};

/**
 * MariaDB reports 1449 to administrators alone. Others get 1045, the error of a wrong password, for
 * a statement.
 */
const lacksDefiner = ({ number, isOfStatement }: DatabaseErrorFields): boolean =>
  number === 1449 || (number === 1045 && isOfStatement);

/** Whether a view, trigger or routine fails for every user. */
export const isBrokenProgram = (fields: DatabaseErrorFields): boolean => fields.number === 1356 || lacksDefiner(fields);

const brokenRead: Meaning = {
  kind: 'broken',
  code: '25006',
  message: 'A view or function of the database writes, but a read must not write.',
  hint: 'The maintainers of the database have to correct it: a function that writes is declared MODIFIES SQL DATA.',
};

/**
 * Whether InnoDB could not parse a search, which MariaDB reports by the number of malformed SQL, or
 * by that of the storage engine: too many parentheses, too many words in a phrase.
 */
const isMalformedSearch = (number: number, message: string): boolean =>
  number === 1064 ? !message.startsWith('You have an error in your SQL syntax') : number === 128 || number === 191;

export function meaningOf(fields: DatabaseErrorFields, statement: FailedStatement | undefined): Meaning {
  const { number, state, message } = fields;
  if (isMalformedSearch(number, message) && statement?.slots?.some(({ syntax }) => syntax === 'tsquery') === true)
    return malformedSearch;
  if (isOtherKeyError(number, message)) return duplicate;
  if (isGeometryError(number, message)) return invalid;
  if (lacksDefiner(fields)) return withoutDefiner;
  if (number === 1792 && statement?.does === 'read') return brokenRead;
  return (
    meanings.get(number) ??
    (state.startsWith('08')
      ? unavailable
      : { kind: 'unknown', code: state, message: 'The database reported an error.' })
  );
}
