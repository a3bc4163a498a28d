import type { OutgoingHttpHeaders } from 'node:http';
import { codes, type ErrorReason, type ServerError } from '../../../errors.js';
import type { Answer } from '../../../response/answer.js';
import type { FailedRequest } from '../../../response/rest-answers.js';
import { contentTypes } from '../../../response/rest-rows.js';
import { phraseOf, type GivenHeaders } from './given-headers.js';
import { parseProblem } from './parse.js';
import { raisedAnswer } from './raised.js';
import { statusOfSqlstate } from './status.js';
import { tokenProblem } from './token.js';

/** What PostgREST says of a failure. Absent: as the error says it. */
interface Said {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly details?: string | readonly object[] | undefined;
  readonly hint?: string | null | undefined;
  readonly phrase?: string | undefined;
  readonly headers?: GivenHeaders;
}

/**
 * The body of an error and its status. Source: PostgREST, "Errors".
 * @param isMinimal the body has the code and the message alone
 */
export function postgrestError(error: ServerError, request: FailedRequest, isMinimal = false): Answer {
  const said = saidOf(error, request);
  const { status, code, message = error.message, phrase } = said;
  const details = 'details' in said ? said.details : error.details;
  const hint = 'hint' in said ? said.hint : error.hint;
  const more = isMinimal ? {} : { details: details ?? null, hint: hint ?? null };
  const body = JSON.stringify({ code, ...more, message });
  const asks = status === 401 && error.kind === 'denied' ? { 'www-authenticate': 'Bearer' } : {};
  const headers = {
    ...{ 'content-type': contentTypes.json, 'cache-control': 'no-store', ...asks, ...inLowerCase(error.headers) },
    'proxy-status': `PostgREST; error=${code}`,
    ...said.headers,
  };
  return { status, phrase, headers, body };
}

const inLowerCase = (headers: ServerError['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function saidOf(error: ServerError, request: FailedRequest): Said {
  const { reason, code, status, kind } = error;
  if (reason !== undefined) return saidOfReason(reason, error, request);
  // The database's own code, and its status as PostgREST gives it.
  if (kind !== undefined && !ownCodes.has(code))
    return {
      ...{ code, status: statusOfSqlstate(code, status, kind, request.isAnonymous) },
      phrase: kind === 'raised' && code.startsWith('PT') ? phraseOf(error.message) : undefined,
    };
  const own = ownCodes.get(code);
  if (code === codes.methodNotAllowed) return methodNotAllowed(request);
  if (code === codes.unsupported)
    return { status: 400, code: 'PGRST127', message: 'Feature not implemented', details: error.message };
  return own === undefined ? { code, status } : { code: own.code, status: own.status ?? status };
}

/** PUT is not answered where there is no key to filter by. */
const methodNotAllowed = ({ method }: FailedRequest): Said =>
  method === 'PUT'
    ? notTheKey
    : { status: 405, code: 'PGRST117', message: `Unsupported HTTP method: ${method}`, hint: null };

const notTheKey: Said = {
  status: 405,
  code: 'PGRST105',
  message: "Filters must include all and only primary key columns with 'eq' operators",
  hint: null,
};

const ownCodes: ReadonlyMap<string, { readonly code: string; readonly status?: number }> = new Map([
  [codes.unknownTable, { code: 'PGRST205' }],
  // A name that PostgreSQL would look for itself.
  [codes.unknownColumn, { code: '42703', status: 400 }],
  [codes.unknownOperator, { code: 'PGRST100', status: 400 }],
  [codes.malformedFilter, { code: 'PGRST100', status: 400 }],
  [codes.malformedParameter, { code: 'PGRST100', status: 400 }],
  [codes.malformedBody, { code: 'PGRST102' }],
  [codes.missingProfile, { code: 'PGRST106', status: 406 }],
  [codes.notFound, { code: 'PGRST125' }],
  [codes.rangeNotSatisfiable, { code: 'PGRST103', status: 416 }],
  [codes.notAcceptable, { code: 'PGRST107', status: 406 }],
  [codes.limitExceeded, { code: 'PGRST100' }],
  [codes.invalidToken, { code: 'PGRST301' }],
  [codes.unavailable, { code: 'PGRST000', status: 503 }],
  [codes.timeout, { code: 'PGRST003', status: 504 }],
  [codes.methodNotAllowed, { code: 'PGRST117', status: 405 }],
  [codes.refused, { code: '42501' }],
  [codes.internal, { code: 'PGRSTX00', status: 500 }],
]);

const bodyProblems = {
  json: 'Empty or invalid json',
  csv: 'All lines must have same number of fields',
  keys: 'All object keys must match',
} as const;

function saidOfReason(reason: ErrorReason, error: ServerError, { method, isAnonymous }: FailedRequest): Said {
  switch (reason.kind) {
    case 'database':
      return {
        code: error.code,
        status: statusOfSqlstate(error.code, error.status, error.kind ?? 'unknown', isAnonymous),
        message: reason.message,
        details: undefined,
        hint: reason.hint ?? null,
      };
    case 'refusedStatement':
      return {
        code: reason.state,
        status: reason.state === '42501' ? 403 : statusOfSqlstate(reason.state, 400, 'unknown', isAnonymous),
        message: reason.message,
        details: undefined,
        hint: reason.hint ?? null,
      };
    case 'unknownColumn':
      return {
        status: 400,
        code: '42703',
        message: `column ${reason.table}.${reason.name} does not exist`,
        hint:
          reason.meant === undefined
            ? null
            : `Perhaps you meant to reference the column "${reason.table}.${reason.meant}".`,
      };
    case 'token':
      return tokenProblem(reason);
    case 'parse':
      return { status: 400, code: 'PGRST100', ...parseProblem(reason, error.message), hint: null };
    case 'body':
      return {
        status: 400,
        code: 'PGRST102',
        message: bodyProblems[reason.problem],
        hint: null,
      };
    case 'bodyType':
      return { status: 400, code: 'PGRST102', message: `Content-Type not acceptable: ${reason.type}`, hint: null };
    case 'unknownSchema':
      return {
        status: 406,
        code: 'PGRST106',
        message: `Invalid schema: ${reason.name}`,
        hint: `Only the following schemas are exposed: ${reason.served.join(', ')}`,
      };
    case 'mediaTypes':
      return {
        status: 406,
        code: 'PGRST107',
        message: `None of these media types are available: ${reason.types.join(', ')}`,
        hint: null,
      };
    case 'notTheKey':
      return notTheKey;
    case 'otherKey':
      return {
        status: 400,
        code: 'PGRST115',
        message: 'Payload values do not match URL in primary key column(s)',
        hint: null,
      };
    case 'pageOfReplace':
      return {
        status: 400,
        code: 'PGRST114',
        message: 'limit/offset querystring parameters are not allowed for PUT',
        hint: null,
      };
    case 'raisedAnswer':
      return raisedAnswer(reason);
    case 'notOneRow':
      return {
        status: 406,
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        // Clients look for these words.
        details: `The result contains ${String(reason.rows)} rows`,
        hint: null,
      };
    case 'emptyWindow':
      return {
        status: 416,
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details: reason.details,
        hint: null,
      };
    case 'pastTheEnd':
      return {
        status: 416,
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details: `An offset of ${String(reason.offset)} was requested, but there are only ${String(reason.total)} rows.`,
        hint: null,
      };
    case 'tooManyRows':
      return {
        status: 400,
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: `The query affects ${String(reason.rows)} rows`,
        hint: null,
      };
    case 'countlessResult':
      return {
        status: 400,
        code: 'PGRST128',
        message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
        hint: null,
      };
    case 'preferences':
      return {
        status: 400,
        code: 'PGRST122',
        message: 'Invalid preferences given with handling=strict',
        details: `Invalid preferences: ${reason.ignored.join(', ')}`,
        hint: null,
      };
    case 'unfiltered':
      return {
        status: 400,
        code: '21000',
        message: method === 'DELETE' ? 'DELETE requires a WHERE clause' : 'UPDATE requires a WHERE clause',
      };
    case 'unknownFunction':
      return unknownFunction(reason);
    case 'ambiguousFunction':
      return {
        status: 300,
        code: 'PGRST203',
        ...(reason.signatures === undefined
          ? {}
          : {
              message: `Could not choose the best candidate function between: ${reason.signatures.join(', ')}`,
              hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
            }),
      };
    case 'noRelation':
      return noRelation(reason);
    case 'ambiguousRelation':
      return ambiguous(reason);
    case 'notEmbedded':
      return {
        status: 400,
        code: 'PGRST108',
        message: `'${reason.name}' is not an embedded resource in this request`,
        hint: `Verify that '${reason.name}' is included in the 'select' query parameter.`,
      };
    case 'relatedOrder':
      return {
        status: 400,
        code: 'PGRST118',
        message: `A related order on '${reason.name}' is not possible`,
        details: `'${reason.origin}' and '${reason.name}' do not form a many-to-one or one-to-one relationship`,
        hint: null,
      };
    case 'unknownMember':
      return {
        status: 400,
        code: 'PGRST204',
        message: `Could not find the '${reason.name}' column of '${reason.table}' in the schema cache`,
        hint: null,
      };
    case 'unknownTable':
      return {
        status: 404,
        code: 'PGRST205',
        message: `Could not find the table '${reason.schema}.${reason.name}' in the schema cache`,
        hint: reason.meant === undefined ? null : `Perhaps you meant the table '${reason.schema}.${reason.meant}'`,
      };
  }
}

function unknownFunction({ wanted, meant }: Extract<ErrorReason, { kind: 'unknownFunction' }>): Said {
  const said = { status: 404, code: 'PGRST202' };
  if (wanted === undefined) return said;
  const { names, body } = wanted;
  const name = `${wanted.schema}.${wanted.name}`;
  const isRaw = body !== undefined && body !== 'json';
  const listed = names.join(', ');
  const called = isRaw ? name : names.length === 0 ? `${name} without parameters` : `${name}(${listed})`;
  const searched = isRaw
    ? ` with a single unnamed ${body} parameter`
    : names.length === 0
      ? ' without parameters'
      : ` with parameter${names.length === 1 ? '' : 's'} ${listed}`;
  const fallback = body === 'json' ? ' or with a single unnamed json/jsonb parameter' : '';
  return {
    ...said,
    message: `Could not find the function ${called} in the schema cache`,
    details: `Searched for the function ${name}${searched}${fallback}, but no matches were found in the schema cache.`,
    hint: meant === undefined ? null : `Perhaps you meant to call the function ${meant}`,
  };
}

function noRelation({ origin, target, schema, by, meant }: Extract<ErrorReason, { kind: 'noRelation' }>): Said {
  const hinted = by === undefined ? '' : ` using the hint '${by}'`;
  return {
    status: 400,
    code: 'PGRST200',
    message: `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${origin}' and '${target}'${hinted} in the schema '${schema}', but no matches were found.`,
    hint: meant === undefined ? null : `Perhaps you meant '${meant.name}' instead of '${meant.insteadOf}'.`,
  };
}

function ambiguous({ table, embedded, ways }: Extract<ErrorReason, { kind: 'ambiguousRelation' }>): Said {
  const names = ways.map(({ hint, table: other }) => `'${other}!${hint}'`);
  return {
    status: 300,
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${table}' and '${embedded}'`,
    details: ways.map(({ cardinality, table: other, relationship }) => ({
      cardinality,
      embedding: `${table} with ${other}`,
      relationship,
    })),
    hint: `Try changing '${embedded}' to one of the following: ${names.join(', ')}. Find the desired relationship in the 'details' key.`,
  };
}
