import { ExactNumber } from '../../exact-number.js';

/** JSON text of a value, numbers with all the digits the client gave them. */
export function writeJson(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${writeJson(each)}`).join(',')}}`;
  }
  return value === undefined ? 'null' : JSON.stringify(value);
}
