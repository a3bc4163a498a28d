import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llmsText } from '../../scripts/llms.js';
import { repository } from '../support/transpile.js';

const file = join(repository, 'docs/llms.txt');

test('docs/llms.txt lists the pages as they are', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, llmsText());
  expect(readFileSync(file, 'utf8')).toBe(llmsText());
  expect(llmsText()).toContain('- [REST](rest.md): requests over REST, by task\n');
});
