import { print } from 'graphql';
import { readRecorded, type FoundFile, type Recorded } from '../../../src/api/index.js';

const file = (path: string, text: string): FoundFile => ({ path, absolute: `/${path}`, text });

const read = (path: string, text: string): Promise<Recorded> => readRecorded([file(path, text)]);

const texts = ({ documents }: Recorded): readonly string[] =>
  documents.map((each) => print(each).replace(/\s+/g, ' ').trim());

const lines = ({ documents }: Recorded): readonly (number | undefined)[] =>
  documents.map(({ definitions: [first], loc }) =>
    first?.loc === undefined ? undefined : first.loc.startToken.line + (loc?.source.locationOffset.line ?? 1) - 1,
  );

test('GraphQL documents; files with comments alone hold none', async () => {
  expect(texts(await read('a.graphql', 'query A { a }'))).toEqual(['query A { a }']);
  expect(texts(await read('b.gql', '# nothing yet\n'))).toEqual([]);
});

test('templates in scripts, with their line, by tag, function and comment', async () => {
  const script = [
    'import { gql } from "x";',
    'const f = gql`fragment F on T { id }`;',
    'const a = gql`',
    '  query A { t { ...F } }',
    '  ${f}',
    '`;',
    'const b = graphql(`query B { t }`);',
    'const c = /* GraphQL */ `query C { t }`;',
    'const d = css`color: red`;',
  ].join('\n');
  const found = await read('app.tsx', script);
  expect(texts(found)).toEqual(['fragment F on T { id }', 'query A { t { ...F } }', 'query B { t }', 'query C { t }']);
  expect(lines(found)).toEqual([2, 4, 7, 8]);
});

test('manifests of persisted operations, with the line of each', async () => {
  const apollo = JSON.stringify(
    { format: 'apollo-persisted-query-manifest', version: 1, operations: [{ id: '1', body: 'query A {\n  a\n}' }] },
    undefined,
    2,
  );
  expect(lines(await read('manifest.json', apollo))).toEqual([7]);
  const relay = JSON.stringify({ abc: 'query A { a }', def: 'query B { b }' }, undefined, 2);
  expect(lines(await read('persisted.json', relay))).toEqual([2, 3]);
  await expect(read('package.json', '{"version": 1}')).rejects.toMatchObject({ code: 'USAGE' });
});

test('usage logs, with half a line at the end', async () => {
  const log = [
    '{"graphql":"query A { a }"}',
    '{"rest":{"method":"GET","table":"s.t","uses":{"s.t":["id"]}}}',
    '{"graphql":"que',
  ].join('\n');
  const found = await read('usage.jsonl', log);
  expect(texts(found)).toEqual(['query A { a }']);
  expect(found.rest).toEqual([
    { file: 'usage.jsonl', line: 2, method: 'GET', table: 's.t', uses: [{ table: 's.t', name: 'id' }] },
  ]);
  await expect(read('usage.jsonl', 'no\n{}')).rejects.toMatchObject({ code: 'USAGE' });
});

test('what is not GraphQL is told by file and line', async () => {
  await expect(read('a.graphql', 'query A {\n  }')).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/^a\.graphql:2 is not GraphQL: /) as string,
  });
});
