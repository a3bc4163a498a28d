import { customValues } from '../../../runtime/src/dialect/mysql/driver/custom-values.js';

/** Parameters of the user's SQL, as MariaDB gets them. */
test.each<[string, unknown, unknown]>([
  ['nothing', undefined, null],
  ['null', null, null],
  ['a moment', new Date(Date.UTC(2024, 1, 29, 12, 30, 0, 5)), '2024-02-29 12:30:00.005'],
  ['a bigint', 9007199254740993n, '9007199254740993'],
  ['a whole number, which would be DOUBLE as a number', 7, '7'],
  ['a fraction', 1.5, 1.5],
  ['a number beyond the exact ones', 2 ** 60, 2 ** 60],
  ['a text', `it's`, `it's`],
  ['a boolean', false, false],
  ['bytes', Buffer.from([0, 255]), Buffer.from([0, 255])],
  ['a part of other bytes', new Uint8Array([1, 2, 3, 4]).subarray(1, 3), Buffer.from([2, 3])],
  ['an object', { a: [1, null] }, '{"a":[1,null]}'],
  ['a list', ['x', 1], '["x",1]'],
])('%s', (_name, given, sent) => {
  expect(customValues([given])).toEqual([sent]);
});
