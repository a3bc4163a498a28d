import { readFile, writeFile } from 'node:fs/promises';
import { renderOperatorDocs } from '../../support/operator-docs.js';

test('docs/operators.md is what the tables of operators say', async () => {
  const path = new URL('../../../docs/operators.md', import.meta.url);
  if (process.env['UPDATE_DOCS'] !== undefined) await writeFile(path, renderOperatorDocs());
  expect(await readFile(path, 'utf8')).toBe(renderOperatorDocs());
});
