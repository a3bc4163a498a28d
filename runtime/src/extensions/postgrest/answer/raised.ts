import type { ErrorReason } from '../../../errors.js';
import { isRecord } from '../../../is-record.js';
import { refusedByRule } from '../../../response/failure-answer.js';
import { headersOfPairs, isStatus, phraseOf, type GivenHeaders } from './given-headers.js';

/** What `RAISE SQLSTATE 'PGRST'` says of the answer. */
export interface RaisedAnswer {
  readonly status: number;
  readonly phrase?: string | undefined;
  readonly headers: GivenHeaders;
  readonly code: string;
  readonly message: string;
  readonly details?: string | undefined;
  readonly hint: string | undefined;
}

type Raised = Extract<ErrorReason, { kind: 'raisedAnswer' }>;

/**
 * Reads the JSON of MESSAGE and DETAIL. The author's texts are left out where they are not shown.
 * Source: PostgREST, "RAISE errors with HTTP Status Codes".
 */
export function raisedAnswer({ message, detail, shows }: Raised): RaisedAnswer {
  const said = bodyIn(message);
  if (said === undefined)
    return malformed(shows ? `Invalid JSON value for MESSAGE: '${message}'` : undefined, ofMessage);
  if (detail === undefined) return malformed('DETAIL is missing in the RAISE statement', ofDetail);
  const http = httpIn(detail);
  if (http === undefined) return malformed(shows ? `Invalid JSON value for DETAIL: '${detail}'` : undefined, ofDetail);
  return shows ? { ...http, ...said } : { ...http, code: said.code, message: refusedByRule, hint: undefined };
}

const ofMessage =
  "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
const ofDetail =
  "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";

const malformed = (details: string | undefined, hint: string): RaisedAnswer => ({
  status: 500,
  headers: {},
  code: 'PGRST121',
  message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
  details,
  hint,
});

function bodyIn(text: string): Pick<RaisedAnswer, 'code' | 'message' | 'details' | 'hint'> | undefined {
  const { code, message, details = null, hint = null } = objectIn(text);
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (!isTextOrNull(details) || !isTextOrNull(hint)) return undefined;
  return { code, message, details: details ?? undefined, hint: hint ?? undefined };
}

function httpIn(text: string): Pick<RaisedAnswer, 'status' | 'headers' | 'phrase'> | undefined {
  const { status, headers, status_text: phrase = null } = objectIn(text);
  if (!isStatus(status) || !isRecord(headers) || !isTextOrNull(phrase)) return undefined;
  try {
    return { status, headers: headersOfPairs(Object.entries(headers)), phrase: phraseOf(phrase ?? '') };
  } catch {
    return undefined;
  }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
