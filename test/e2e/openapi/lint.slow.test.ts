import { caseNames, runCase } from '../../support/case.js';
import { describeClients } from '../../support/client-packages.js';
import { lintOpenapi } from '../../support/openapi-tools.js';

/**
 * The strictest rules for published APIs: Redocly's recommended-strict, and Spectral's rules for
 * OpenAPI.
 */
describeClients('linters of OpenAPI', () => {
  test('find nothing in the document of any case, whatever the database is called', async () => {
    const names = [...(await caseNames()), 'hostile'];
    const documents = new Map<string, string>();
    for (const name of names) documents.set(name, (await runCase(name)).files.get('openapi.json') ?? '');
    expect(documents.size).toBeGreaterThan(8);
    expect(await lintOpenapi(documents)).toEqual([]);
  });

  test('find what is wrong', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Wrong', version: '1' },
      paths: { '/a': { get: { responses: { 200: { description: 'A.' } } } } },
    };
    const found = await lintOpenapi(new Map([['wrong', JSON.stringify(document)]]));
    const rules = found.map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(['redocly operation-4xx-response', 'spectral info-contact']));
  });
});
