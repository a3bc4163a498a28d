import { formerText } from '../../../runtime/src/events/former-text.js';
import { catalog, column, table } from '../../support/catalog.js';
import { describeCatalog } from '../../support/describe-database.js';
import { tableOf } from '../../support/registry.js';

const facts = table('app.facts', [column('id', 'int4'), column('say "it"'), column('facts', 'jsonb')]);
const { columns } = tableOf(describeCatalog(catalog({ tables: [facts] })).registry, 'appFacts');

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
