import { readdir } from 'node:fs/promises';
import { rules } from '../../src/doctor/index.js';

test('each rule is tested, with its flaw and without, in a file of its own', async () => {
  const files = await readdir(new URL('rules', import.meta.url));
  expect(files.sort()).toEqual(rules.map(({ code }) => `${code}.test.ts`).sort());
});
