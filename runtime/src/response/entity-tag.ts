import { createHash, hash } from 'node:crypto';
import type { Answer } from './answer.js';
import { codings, type Coding } from './content-coding.js';

/**
 * The strong entity tag of an answer: a digest of its body and, for a page of rows, of which rows
 * they are. Each content coding is a representation of its own. SHA-1 identifies contents, it
 * protects nothing; it is the fastest digest in Node.
 * Source: RFC 9110, 8.8.3.
 */
export function entityTag({ headers, body = '' }: Answer, coding: Coding | undefined): string {
  const range = headers['content-range'];
  const digest = range === undefined ? hash('sha1', body, 'base64url') : digestOfRange(`${range}\n`, body);
  return coding === undefined ? `"${digest}"` : `"${digest}-${coding}"`;
}

const digestOfRange = (range: string, body: string | Buffer): string =>
  typeof body === 'string'
    ? hash('sha1', range + body, 'base64url')
    : createHash('sha1').update(range).update(body).digest('base64url');

/**
 * Whether an `If-None-Match` names the tag, so that the client has the same answer already.
 * Compared weakly: a proxy that compresses makes a tag weak.
 * Source: RFC 9110, 8.8.3.2, 13.1.2.
 */
export function isNamed(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/**
 * Whether `If-Match` or `If-None-Match` names a tag of the answer, in any content coding: which one
 * the client had is not known.
 * @param isStrong a weak tag equals none: RFC 9110, 13.1.1
 */
export function isTagOf(answer: Answer, header: string, isStrong: boolean): boolean {
  const given = header.split(',').map((each) => each.trim());
  const tags = [undefined, ...codings].map((coding) => entityTag(answer, coding));
  return given.some((each) => tags.includes(isStrong ? each : each.replace(/^W\//, '')));
}

/**
 * The answer to a client that has it already: what describes the body is left out. Source: RFC
 * 9110, 15.4.5.
 */
export function notModified({ headers }: Answer): Answer {
  const kept = { ...headers };
  delete kept['content-type'];
  delete kept['content-range'];
  return { status: 304, headers: kept };
}
