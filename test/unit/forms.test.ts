import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createPostgrestForm } from '../../runtime/src/extensions/postgrest/form.js';
import { ownForm } from '../../runtime/src/endpoint/rest/rest-form.js';

const source = 'runtime/src';
const names = [ownForm.name, createPostgrestForm('/rest/v1', 'verbose').name];

/** The folder of a form. */
const isOfForm = (file: string): boolean => file.startsWith('extensions/postgrest/');

const core = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !isOfForm(file),
);

/** The lines that ask which form of REST it is, instead of what the form decides. */
function comparisons(text: string): readonly string[] {
  const name = `['"\`](?:${names.join('|')})['"\`]`;
  const asks = new RegExp(`[=!]==?\\s*${name}|${name}\\s*[=!]==?|\\bcase ${name}|\\bRestDialect\\b`);
  return text.split('\n').filter((line) => asks.test(line));
}

test('forms of REST have different names', () => {
  expect(new Set(names).size).toBe(2);
});

test('the core asks what a form of REST decides, never for its name', () => {
  expect(core.length).toBeGreaterThan(400);
  const found = core.flatMap((file) =>
    comparisons(readFileSync(join(source, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('a comparison is found', () => {
  expect(comparisons("if (form.name === 'postgrest') return;\ncase 'rest':\nname = 'rest';")).toHaveLength(2);
});
