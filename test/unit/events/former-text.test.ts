import { formerText } from '../../../runtime/src/events/former-text.js';
import { int4, jsonb, text } from '../../../runtime/src/dialect/postgres/types.js';

const columns = [
  { name: 'id', type: int4 },
  { name: 'say "it"', type: text },
  { name: 'facts', type: jsonb },
];

test('a former row is an object of texts, and of JSON as it is', () => {
  const former = new Map([
    ['facts', '{"a": 1}'],
    ['id', '1'],
    ['say "it"', null],
    ['other', 'x'],
  ]);
  expect(formerText(former, { columns })).toBe('{"id":"1","say \\"it\\"":null,"facts":{"a": 1}}');
});

test('a row of which a column is not known is not told: generated columns are not in the log', () => {
  expect(formerText(new Map([['id', '1']]), { columns })).toBeNull();
});
