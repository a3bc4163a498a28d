import { isInteger, LosslessNumber, parse, stringify } from 'lossless-json';
import type { RunningServer } from '../../../support/running-server.js';
import type { CaseRequest, SchemaNames } from './twins.js';

/**
 * The part of an answer that has to be the same on both databases. For an error these are its
 * status and its code: the message comes from the database.
 */
export interface CaseAnswer {
  readonly status: number;
  readonly contentRange: string | null;
  readonly body: string;
}

export async function askCase(server: RunningServer, request: CaseRequest, names: SchemaNames): Promise<CaseAnswer> {
  const response = await (request.graphql === undefined
    ? send(server, request, names)
    : post(server, names.inDocument(request.graphql)));
  return {
    status: response.status,
    contentRange: response.headers.get('content-range'),
    body: comparable(names.back(await response.text())),
  };
}

export const post = (server: RunningServer, query: string): Promise<Response> =>
  fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });

function send(server: RunningServer, request: CaseRequest, names: SchemaNames): Promise<Response> {
  const { method = 'GET', path = '', schema = '', body, prefer, range, accept } = request;
  const profile = names.all.get(schema) ?? schema;
  return fetch(`${server.base}/api/v1/${path}`, {
    method,
    headers: {
      [method === 'GET' ? 'accept-profile' : 'content-profile']: profile,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(prefer === undefined ? {} : { prefer }),
      ...(range === undefined ? {} : { range }),
      ...(accept === undefined ? {} : { accept }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/**
 * JSON with all digits of its numbers, without blanks, and with sorted members: `jsonb` has an
 * order of its own.
 */
function comparable(text: string): string {
  try {
    return stringify(ordered(parse(text))) ?? '';
  } catch {
    return text;
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value instanceof LosslessNumber)
    return isInteger(value.value) ? value : new LosslessNumber(shortest(value.value));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if ('code' in value && !('data' in value)) return { code: value.code };
  if ('extensions' in value) return ordered(value.extensions);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, ordered(each)]));
}

/** 2.50 becomes 2.5: the number of trailing zeros has no meaning. */
const shortest = (digits: string): string =>
  /e/i.test(digits) ? String(Number(digits)) : digits.replace(/\.?0+$/, '');
