import { malformedParameter } from './malformed.js';

const digits = /^\d+$/;

/**
 * A `limit` or an `offset`: a whole number, 0 or more. A number beyond `Number.MAX_SAFE_INTEGER`
 * becomes that number: no table has so many rows. Throws ServerError 400. Source: decision 006.
 *
 * @accepts `0` `1` `30` `007` `99999999999999999999`
 * @rejects `` `-1` `1.5` `+1` ` 1` `1e3` `abc` `0x10` `١`
 */
export function parseCount(text: string, parameter: string): number {
  if (!digits.test(text)) {
    throw malformedParameter(parameter, 'it has to be a whole number, 0 or more.', `For example ${parameter}=10.`);
  }
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
