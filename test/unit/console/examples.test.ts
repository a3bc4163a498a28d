import type { ConsoleFunction, ConsoleModel } from '../../../console/src/console-model.js';
import { functionExample } from '../../../console/src/client/examples.js';

const called: ConsoleFunction = {
  field: 'callShopClose',
  schema: 'shop',
  name: 'close',
  operation: 'mutation',
  kind: 'procedure',
  arguments: [
    { name: 'day', field: 'day', kind: 'date', optional: false },
    { name: 'most_rows', field: 'mostRows', kind: 'int', optional: false },
    { name: 'note', field: 'note', kind: 'text', optional: true },
  ],
  table: null,
  returnsSet: false,
  comment: null,
};
const model = { graphql: true, schemas: ['shop'], tables: [], functions: [called] } as unknown as ConsoleModel;

test('a procedure is called by its mutation, which REST has no path for', () => {
  const example = functionExample(model, called);
  expect([example.protocol, example.document, example.writes]).toEqual([
    'GraphQL',
    'mutation {\n  callShopClose(day: "2026-01-01", mostRows: 1)\n}',
    true,
  ]);
  expect(functionExample(model, { ...called, arguments: [] }).document).toBe('mutation {\n  callShopClose\n}');
});

test('a function is called over REST', () => {
  const example = functionExample(model, { ...called, kind: 'function' });
  expect([example.protocol, example.request.path]).toEqual(['REST', expect.stringContaining('rpc/close') as string]);
});
