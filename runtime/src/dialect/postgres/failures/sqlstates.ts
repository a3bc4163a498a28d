import type { FailureKind } from '../../../errors.js';
import { misfitCursor } from '../../misfit-cursor.js';
import { missingKey } from '../../missing-key.js';
import type { SlotSyntax } from '../../../plan/statement.js';
import { isForeignOutage, type ReadFailure } from './fields.js';

/**
 * The meaning of an SQLSTATE. The message is the runtime's, so that no value of a row reaches a
 * client.
 */
export interface Meaning {
  readonly kind: FailureKind;
  readonly message: string;
  readonly hint?: string;
}

/** One row of the table. The first row with a matching code and condition counts. */
interface Row extends Meaning {
  readonly codes: readonly string[];
  readonly when?: (failure: ReadFailure) => boolean;
}

const mendDatabase = 'The maintainers of the database have to correct it.';
const generateAgain =
  'Send the request again in a moment: the server follows the database. If it fails again, generate the server again.';
const misfit = { kind: 'invalidValue', message: 'A value does not have the form its type needs.' } as const;
const sendAgain = 'Send it again.';
const unavailable = { kind: 'unavailable', message: 'The database is not available.' } as const;
const foreignUnavailable = {
  kind: 'unavailable',
  message: 'A server that has rows of this table is not available.',
  hint: 'Try again in a moment. Other tables can be used.',
} as const;
const unknown = { kind: 'unknown', message: 'The database reported an error.' } as const;
const readOnly = {
  kind: 'readOnly',
  message: 'The database accepts no writes at the moment: it is read only, or a standby.',
  hint: 'Nothing was written. Send it again in a moment.',
} as const;
const refersToNothing = {
  kind: 'foreignKey',
  message: 'The row refers to a row that does not exist.',
  hint: 'Insert that row first, or refer to another one.',
} as const;
const isReferredTo = {
  kind: 'foreignKey',
  message: 'Other rows still refer to the row.',
  hint: 'Change or delete those rows first.',
} as const;

const does =
  (...kinds: readonly string[]) =>
  ({ statement }: ReadFailure): boolean =>
    statement !== undefined && kinds.includes(statement.does);
const by =
  (...routines: readonly string[]) =>
  ({ routine }: ReadFailure): boolean =>
    routine !== undefined && routines.includes(routine);
const inFunction = (failure: ReadFailure): boolean => failure.inFunction;
const ofOwnTable = ({ statement, schema, table }: ReadFailure): boolean =>
  statement?.table !== undefined && statement.table.name === table && statement.table.schema === schema;
const parsed =
  (...syntaxes: readonly SlotSyntax[]) =>
  (failure: ReadFailure): boolean =>
    syntaxes.some((syntax) => syntaxRead(failure) === syntax);

/**
 * SQLSTATE → kind, and the words for a client. The status follows from the kind.
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const rows: readonly Row[] = [
  // Constraints
  { codes: ['23505'], kind: 'unique', message: 'A row with this key exists already.' },
  { codes: ['23503'], when: does('insert'), ...refersToNothing },
  { codes: ['23503'], when: does('delete'), ...isReferredTo },
  { codes: ['23503'], when: (failure) => does('update')(failure) && ofOwnTable(failure), ...refersToNothing },
  { codes: ['23503'], when: does('update'), ...isReferredTo },
  { codes: ['23001'], ...isReferredTo },
  {
    codes: ['23503'],
    kind: 'foreignKey',
    message: 'A row refers to a row that does not exist, or is still referred to.',
  },
  { codes: ['23P01'], kind: 'exclusion', message: 'The row conflicts with another row.' },
  { codes: ['23502'], kind: 'notNull', message: 'A column that must not be null has no value.' },
  { codes: ['23514'], kind: 'check', message: 'The row breaks a check of its table.' },
  { codes: ['44000'], kind: 'check', message: 'The row would not be visible in the view that it is written through.' },
  {
    codes: ['21000'],
    when: by('ExecOnConflictUpdate'),
    kind: 'malformed',
    message: 'The request has the same row twice.',
    hint: 'Rows that are merged have to have different keys.',
  },
  {
    codes: ['21000'],
    kind: 'broken',
    message: 'A view or function of the database found several rows where only one is allowed.',
    hint: mendDatabase,
  },
  { codes: ['42P10'], when: inFunction, ...unknown },
  {
    codes: ['42P10'],
    when: ({ statement }) => statement?.mergesByKey === true,
    kind: 'outdated',
    message: 'The database no longer has this key.',
    hint: generateAgain,
  },
  {
    codes: ['42P10'],
    kind: 'malformed',
    ...missingKey,
  },

  // The column of an order has another type since the cursor was made
  {
    codes: ['22P02', '22003', '22007', '22008', '22009', '2200M', '2202E', '22P03'],
    when: parsed('cursor'),
    kind: 'malformed',
    message: misfitCursor.message,
    hint: misfitCursor.hint,
  },

  // Values in a language of their own, parsed while the statement runs
  {
    codes: ['42601', '42602', '42704', '3F000', '0A000', '22P02'],
    when: parsed('configuration'),
    kind: 'malformed',
    message: 'No such full-text search configuration.',
    hint: 'Common ones are english, german and simple. The maintainers of the database can list them all.',
  },
  {
    codes: ['42601', '42602', '42704', '22P02', '22003', '2201B'],
    when: parsed('jsonpath'),
    kind: 'malformed',
    message: 'The JSON path is malformed.',
    hint: 'A JSON path is like $.tags[*] ? (@ == "urgent").',
  },
  {
    codes: ['42601'],
    when: parsed('tsquery'),
    kind: 'malformed',
    message: 'The full-text query is malformed.',
    hint: 'plfts and wfts (search and webSearch over GraphQL) take any text.',
  },
  {
    codes: ['42601'],
    when: parsed('tsvector'),
    kind: 'malformed',
    message: 'The tsvector is malformed.',
    hint: "A tsvector is like 'board':1 'issue':2. To search for words, use plfts (search over GraphQL).",
  },
  // ltree raises a syntax error for a malformed value.
  {
    codes: ['42601'],
    when: ({ parameter, inFunction: nested, position }) => parameter !== undefined && !nested && position === undefined,
    ...misfit,
  },
  { codes: ['2201B'], kind: 'malformed', message: 'The regular expression is malformed.' },
  {
    codes: ['22025'],
    kind: 'malformed',
    message: 'The pattern ends in its escape character.',
    hint: 'Write `\\\\` for a backslash.',
  },
  { codes: ['22P05', '22021'], kind: 'malformed', message: 'A text has a character that the database cannot hold.' },
  { codes: ['54001'], when: inFunction, ...unknown },
  { codes: ['54001'], kind: 'malformed', message: 'A value is nested too deeply.' },

  // Values that their type does not accept
  { codes: ['22001'], kind: 'invalidValue', message: 'A text is longer than its column takes.' },
  { codes: ['22P02'], ...misfit },
  { codes: ['22003'], kind: 'invalidValue', message: 'A number is out of the range of its type.' },
  {
    codes: ['22007'],
    kind: 'invalidValue',
    message: 'A date or time does not have the form its type needs.',
    hint: 'Write ISO 8601, as in 2024-02-29 or 2024-02-29T12:00:00Z.',
  },
  { codes: ['22008'], kind: 'invalidValue', message: 'A date or time is out of range.' },
  { codes: ['22009'], kind: 'invalidValue', message: 'A time zone is out of range.' },

  // Rights
  {
    codes: ['42501'],
    when: by('ExecWithCheckOptions'),
    kind: 'denied',
    message: 'Permission denied.',
    hint: 'Nothing was written: a row level security policy does not allow the row as it was, or as it would be.',
  },
  {
    codes: ['42501'],
    kind: 'denied',
    message: 'Permission denied.',
    hint: 'The role of this request lacks a right in the database. A token may give it another role.',
  },

  // Other requests
  {
    codes: ['40001', '40P01'],
    kind: 'serialization',
    message: 'The request conflicted with another one.',
    hint: sendAgain,
  },
  {
    codes: ['55P03'],
    kind: 'locked',
    message: 'Another request holds a lock that this one needs.',
    hint: 'Nothing was written. Send it again in a moment.',
  },
  {
    codes: ['57014'],
    kind: 'timeout',
    message: 'The database took too long.',
    hint: 'Ask for fewer rows or filter by an index.',
  },

  // The state of the server
  {
    codes: ['25006'],
    when: does('read'),
    kind: 'broken',
    message: 'A view or function of the database writes, but a read must not write.',
    hint: mendDatabase,
  },
  { codes: ['25006'], ...readOnly },
  // `set local transaction_read_only = off` on a standby: the hook of a boolean setting reports it.
  { codes: ['0A000'], when: by('call_bool_check_hook', 'check_XactReadOnly'), ...readOnly },
  // CREATE RULE: younger than the server, or a rule that answers no rows.
  {
    codes: ['0A000'],
    when: (failure) => by('RewriteQuery')(failure) && failure.statement?.table?.rules === undefined,
    kind: 'outdated',
    message: 'The writes of the table run a rule now.',
    hint: generateAgain,
  },
  {
    codes: ['0A000'],
    when: by('RewriteQuery'),
    kind: 'malformed',
    message: 'A rule of the table does not allow this write.',
    hint: 'Its maintainers can make the rule unconditional and give it a RETURNING clause. PostgreSQL allows no ON CONFLICT where rules run.',
  },
  { codes: ['25P03'], ...unavailable },
  // `alter database … allow_connections false`
  { codes: ['55000'], when: by('CheckMyDatabase'), ...unavailable },
  {
    codes: ['55000'],
    when: (failure) => by('ExecCheckIndexConstraints')(failure) && !inFunction(failure),
    kind: 'malformed',
    message: 'Rows can not be merged by a key that is deferrable.',
    hint: 'Name the columns of another key, or insert rows that are new and update the others.',
  },
  {
    codes: ['55000'],
    when: by('ExecOpenScanRelation'),
    kind: 'broken',
    message: 'A materialised view has no rows yet: it was never refreshed.',
    hint: 'The maintainers of the database have to run REFRESH MATERIALIZED VIEW.',
  },
  {
    codes: ['53400'],
    kind: 'limit',
    message: 'The request needs more than a limit of the database allows.',
    hint: 'Ask for fewer rows, or order by an indexed column.',
  },

  // The database has changed since the server was generated, or one of its functions is broken
  {
    codes: ['42703', '42P01', '42883', '42704', '3F000'],
    when: inFunction,
    kind: 'broken',
    message: 'A function or trigger of the database uses an object that does not exist.',
    hint: mendDatabase,
  },
  { codes: ['42703'], kind: 'outdated', message: 'The database no longer has this column.', hint: generateAgain },
  { codes: ['42P01'], kind: 'outdated', message: 'The database no longer has this table.', hint: generateAgain },
  {
    codes: ['42883'],
    when: does('call'),
    kind: 'outdated',
    message: 'The database no longer has this procedure.',
    hint: generateAgain,
  },
];

/**
 * Classes in which all codes mean the same to a client. A row for a single code takes precedence.
 */
const classes: ReadonlyMap<string, Meaning> = new Map([
  ['08', unavailable],
  // The login is refused, or the database is gone.
  ['28', unavailable],
  ['3D', unavailable],
  ['53', unavailable],
]);

const rowsByCode: ReadonlyMap<string, readonly Row[]> = indexRows();

function indexRows(): ReadonlyMap<string, readonly Row[]> {
  const byCode = new Map<string, Row[]>();
  for (const row of rows) for (const code of row.codes) byCode.set(code, [...(byCode.get(code) ?? []), row]);
  return byCode;
}

/** The meaning of PostgreSQL's own failures, except those that the database's author raised. */
export function meaningOf(failure: ReadFailure): Meaning {
  if (isForeignOutage(failure)) return foreignUnavailable;
  const row = rowsByCode.get(failure.code)?.find(({ when }) => when === undefined || when(failure));
  return row ?? classes.get(failure.code.slice(0, 2)) ?? meaningOfGroup(failure.code);
}

function meaningOfGroup(code: string): Meaning {
  // 57P01 to 57P05: an administrator, a crash or a timeout ended the connection, or the server only
  // starts.
  if (code.startsWith('57P')) return unavailable;
  if (code.startsWith('2203'))
    return { kind: 'malformed', message: 'The JSON path does not fit the value it is applied to.' };
  return unknown;
}

/**
 * The language of the value that the database could not parse. Before PostgreSQL 14 only the
 * statement tells which languages are possible.
 */
function syntaxRead({ parameter, statement, inFunction: nested, position, code }: ReadFailure) {
  if (nested || position !== undefined) return undefined;
  if (parameter !== undefined) return parameter.syntax;
  const found = new Set((statement?.slots ?? []).flatMap(({ syntax }) => syntax ?? []));
  const likely: readonly SlotSyntax[] =
    code === '42601' ? ['tsquery', 'tsvector', 'jsonpath', 'configuration'] : ['configuration'];
  return likely.find((syntax) => found.has(syntax));
}

/**
 * Every class of PostgreSQL's own errcodes.txt, of any version. Other codes are from the database's
 * author.
 */
const classesOfPostgres = new Set(
  '00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B 3D 3F 40 42 44 53 54 55 57 58 72 F0 HV P0 XX'.split(
    ' ',
  ),
);

/**
 * The HTTP status of an error that the database's author raised: 400, or for `PTnnn` the status nnn
 * if that is an error status. Undefined for PostgreSQL's own failures.
 * Source: decision 006; PostgREST, "RAISE errors with HTTP Status Codes".
 */
export function raisedStatus(code: string): number | undefined {
  const status = /^PT([45]\d\d)$/.exec(code)?.[1];
  if (status !== undefined) return Number(status);
  return code === 'P0001' || !classesOfPostgres.has(code.slice(0, 2)) ? 400 : undefined;
}

/**
 * PostgreSQL refuses an update and an insert in one statement before it begins either: the role
 * lacks a privilege, the key is deferrable, or the table has rules.
 */
export const isRefusedForm = ({ code, routine }: ReadFailure): boolean =>
  code === '42501' ? routine === 'aclcheck_error' : code === '55000' || code === '0A000';
