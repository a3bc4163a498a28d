import type { VectorOrder } from '../../../plan/intent.js';
import { malformedFilter } from './malformed.js';

/** The value of `<column>=vector.<json>`: decision 011, without `column`. */
export interface VectorValue {
  readonly near: readonly number[];
  readonly distance: VectorOrder['distance'];
  readonly limit?: number;
}

const distances = new Map<unknown, VectorOrder['distance']>([
  [undefined, 'L2'],
  ['L2', 'L2'],
  ['EUCLIDEAN', 'L2'],
  ['COSINE', 'COSINE'],
  ['IP', 'IP'],
  ['INNER_PRODUCT', 'IP'],
]);

/**
 * Parses a nearest-neighbour search. The planner, which knows the column, checks the number of
 * dimensions. Throws ServerError 400. Source: decision 011.
 *
 * @accepts `{"near":[1,2]}` `{"near":[0.5,-1e-3],"distance":"COSINE"}`
 * @accepts `{"near":[1],"distance":"EUCLIDEAN","limit":5}` `{"near":[1],"limit":0}`
 * @rejects `` `[1,2]` `{}` `{"near":"x"}` `{"near":[]}` `{"near":["1"]}` `{"near":[1e999]}`
 * @rejects `{"near":[null]}` `{"near":[1],"distance":"cosine"}`
 * @rejects `{"near":[1],"limit":-1}` `{"near":[1],"limit":1.5}` `{"near":[1],"limit":"1"}`
 * @rejects `{"near":[1],"column":"a"}` `{"near":[1]` `null`
 */
export function parseVector(text: string, parameter: string): VectorValue {
  const value = parseObject(text, parameter);
  for (const key of Object.keys(value)) {
    if (!known.has(key)) throw malformedFilter(parameter, `a vector value has no "${key}".`, example);
  }
  const { near, distance: name, limit } = value;
  if (!Array.isArray(near) || near.length === 0 || !near.every((each) => Number.isFinite(each))) {
    throw malformedFilter(parameter, '"near" has to be an array of numbers.', example);
  }
  const distance = distances.get(name);
  if (distance === undefined) {
    throw malformedFilter(parameter, '"distance" is one of L2, COSINE, IP, EUCLIDEAN and INNER_PRODUCT.', example);
  }
  if (limit !== undefined && !(typeof limit === 'number' && Number.isInteger(limit) && limit >= 0)) {
    throw malformedFilter(parameter, '"limit" has to be a whole number, 0 or more.', example);
  }
  return { near: near as readonly number[], distance, ...(limit === undefined ? {} : { limit }) };
}

const known = new Set(['near', 'distance', 'limit']);
const example = 'For example vector.{"near":[0.1,0.2],"distance":"COSINE","limit":5}, percent-encoded.';

function parseObject(text: string, parameter: string): { near?: unknown; distance?: unknown; limit?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedFilter(parameter, 'a vector value has to be JSON.', example);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformedFilter(parameter, 'a vector value has to be a JSON object.', example);
  }
  return value;
}
