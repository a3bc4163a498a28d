import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedFor, type Description } from '../../../console/src/explorer/document.js';

const example = join(import.meta.dirname, '../../../generated-example/src/generated/openapi.json');
const whole = JSON.parse(readFileSync(example, 'utf8')) as Description;

const pathsOf = ({ paths }: Description): readonly string[] => Object.keys(paths);

test('a table has its own paths, and all components that they refer to', () => {
  const shown = describedFor(whole, { kind: 'table', schema: 'kanban', name: 'issues' });
  expect(pathsOf(shown)).toEqual(['/issues', '/issues/{id}']);
  const text = JSON.stringify(shown);
  for (const [, group = '', name = ''] of text.matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g))
    expect([group, name, shown.components?.[group]?.[name] !== undefined]).toEqual([group, name, true]);
  expect(text.length).toBeLessThan(JSON.stringify(whole).length);
});

test('without a table all paths are there, each under the heading of its table', () => {
  const shown = describedFor(whole, undefined);
  expect(pathsOf(shown)).toEqual(pathsOf(whole));
  expect(shown.paths['/issues/{id}']?.['get']).toMatchObject({ tags: ['issues'] });
});

test('nothing is said of tokens: the page sends that of the caller', () => {
  const shown = describedFor(whole, undefined);
  expect(shown).not.toHaveProperty('security');
  expect(shown).not.toHaveProperty('components.securitySchemes');
});

describe('tables of two schemas with one path', () => {
  const header = { name: 'Accept-Profile', in: 'header', schema: { type: 'string', enum: ['one', 'two'] } };
  const shared = (paths: Description['paths']): Description => ({ paths, components: {} });
  const both = shared({ '/items': { get: { parameters: [header] } } });

  test.each(['one', 'two'])('the header names the schema of the chosen table: %s', (schema) => {
    const shown = describedFor(both, { kind: 'table', schema, name: 'items' });
    expect(shown.paths['/items']?.['get']).toMatchObject({
      parameters: [{ schema: { enum: ['one', 'two'], default: schema } }],
    });
  });

  test('and the first one where none is chosen', () => {
    expect(JSON.stringify(describedFor(both, undefined))).toContain('"default":"one"');
  });
});

test('a function is told from a table of the same name, and names are decoded', () => {
  const get = { get: {} };
  const all: Description = { paths: { '/rpc/total': get, '/total': get, '/t%C3%A4ler': get } };
  const named = (kind: 'table' | 'function', name: string): readonly string[] =>
    pathsOf(describedFor(all, { kind, schema: 'public', name }));
  expect(named('function', 'total')).toEqual(['/rpc/total']);
  expect(named('table', 'total')).toEqual(['/total']);
  expect(named('table', 'täler')).toEqual(['/t%C3%A4ler']);
});
