import { STATUS_CODES } from 'node:http';
import type { ServerError } from '../errors.js';
import { errorAnswer } from '../response/rest-error.js';

/**
 * An error as the bytes of an HTTP/1.1 answer. Callers use it if Node.js has no response object:
 * the request has not arrived, or cannot be parsed.
 */
export function rawAnswer(error: ServerError, common: Readonly<Record<string, string>> = {}): string {
  const { status, headers, body } = errorAnswer(error);
  const lines = Object.entries({ ...headers, ...common }).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const text = String(body);
  const length = `content-length: ${String(Buffer.byteLength(text))}\r\n`;
  const fixed = 'x-content-type-options: nosniff\r\nconnection: close';
  return `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}${length}${fixed}\r\n\r\n${text}`;
}
