import { ExactNumber } from '../exact-number.js';
import { sourceOf } from '../json-source.js';
import { malformed } from './malformed.js';

/**
 * JSON text of a value: the client's text, if the value was parsed with it; otherwise numbers have
 * all the digits the client gave them. Throws ServerError 400
 * for a value that is nested too deeply.
 */
export function writeJson(value: unknown): string {
  try {
    return textOf(value);
  } catch (error) {
    if (error instanceof RangeError) throw malformed('The JSON is nested too deeply.');
    throw error;
  }
}

function textOf(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (Object.is(value, -0)) return '-0';
  const source = typeof value === 'object' && value !== null ? sourceOf(value) : undefined;
  if (source !== undefined) return source;
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`).join(',')}}`;
  }
  return value === undefined ? 'null' : JSON.stringify(value);
}
