import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { configKeys } from '../../../src/config/schema.js';
import { ownPackage } from '../../../src/package.js';
import { documentConfiguration } from './document.js';

const path = join(ownPackage().folder, 'docs', 'configuration.md');

test('docs/configuration.md says what the code says', async () => {
  const text = await format(documentConfiguration(), { ...(await resolveConfig(path)), filepath: path });
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, text);
  expect(await readFile(path, 'utf8')).toBe(text);
  for (const key of configKeys) expect(text).toContain(`\`${key}\``);
});
