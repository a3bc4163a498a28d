import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../runtime/src/observe/logger.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { loadSql } from '../../support/postgres.js';
import { startService, type Service } from './support/service.js';

type Line = Readonly<Record<string, unknown>> & { readonly level: number };
const info = 30;
const error = 50;

let service: Service;
let seen = 0;

/** The log lines for these observations. */
async function logged(observations: readonly Observation[], wait = 0): Promise<readonly Line[]> {
  const lines: string[] = [];
  const observe = createLogger({ 'app.log.level': 'info' }, { write: (line) => lines.push(line) });
  for (const observation of observations) observe(observation);
  await sleep(wait);
  observe({ kind: 'shutdown', phase: 'closed' });
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg !== 'shutdown');
}

const restLines = (wait?: number) => logged(service.rest.observed.slice(seen), wait);

beforeAll(async () => {
  service = await startService(
    `create schema shop;
     create table shop.items (id int primary key, name text, dropped int, price int check (price >= 0));
     insert into shop.items values (1, 'one', 1, 1);
     create function shop.refuse() returns trigger language plpgsql as $$ begin raise exception 'no % here', new.name; end $$;
     create table shop.rules (id int primary key, name text);
     create trigger refuse before insert on shop.rules for each row execute function shop.refuse();`,
    { schema: 'shop' },
  );
});
afterAll(() => service.stop());
beforeEach(() => {
  seen = service.rest.observed.length;
  service.graphql.forget();
});

describe("a client's mistake is one line at info: code and path, no stack, no value", () => {
  test.each([
    ['GET', 'items?name=s3cret', undefined, 'TW003'],
    ['GET', 'items?id=eq.s3cret', undefined, '22P02'],
    ['GET', 'items/s3cret', undefined, '22P02'],
    ['GET', 'items?s3cret_=eq.1', undefined, 'TW002'],
    ['POST', 'items', { id: 1, name: 's3cret' }, '23505'],
    ['POST', 'items', { id: 2, price: -77 }, '23514'],
    ['POST', 'rules', { id: 2, name: 's3cret' }, 'P0001'],
  ])('%s %s', async (method, path, body, code) => {
    const { status } = await service.restError(method, path, body);
    const lines = await restLines();
    const [table] = path.split(/[?/]/);
    expect(lines).toEqual([
      expect.objectContaining({ level: info, msg: 'refused', method, path: `/api/v1/${table ?? ''}`, status, code }),
    ]);
    // A random identifier may have any digits.
    const said = JSON.stringify(lines, (key, value: unknown) => (key === 'requestId' ? undefined : value));
    expect(said).not.toMatch(/s3cret|stack|-77/);
  });

  test.each([
    ['{ shopItems { s3cret } }', 'GRAPHQL_VALIDATION_FAILED', undefined],
    ['{ shopItems(where: {name: {eq: null}}) { id } }', 'TW004', 'shopItems'],
    ['mutation { createShopItems(input: {id: 1, name: "s3cret"}) { id } }', '23505', 'createShopItems'],
    ['mutation { deleteShopItems { id } }', 'TW005', 'deleteShopItems'],
  ])('%s', async (document, code, field) => {
    await service.graphql.ask(document);
    const lines = await logged(service.graphql.observations);
    expect(lines).toEqual([expect.objectContaining({ level: info, method: 'POST', path: '/graphql', code })]);
    expect(lines[0]?.['field']).toBe(field);
    expect(JSON.stringify(lines)).not.toMatch(/s3cret|stack/);
  });
});

describe('what an operator must look at is one line a second with a count', () => {
  test('a dropped column', async () => {
    await service.db.query('alter table shop.items drop column dropped');
    for (let at = 0; at < 30; at++) await service.restError('GET', 'items?select=id,dropped');
    await service.restError('GET', 'items?select=name,dropped');
    const lines = await restLines(1100);
    expect(lines).toMatchObject([
      { level: error, path: '/api/v1/items', err: { code: '42703' } },
      { level: error, count: 30, err: { code: '42703' } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('stack');
  });

  test('an outage', async () => {
    await loadSql(
      service.db.url.replace(/[^/]*$/, 'postgres'),
      `alter database ${nameOf(service.db.url)} allow_connections false`,
    );
    await loadSql(
      service.db.url.replace(/[^/]*$/, 'postgres'),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(service.db.url)}' and usename <> 'postgres'`,
    );
    try {
      for (let at = 0; at < 40; at++) expect((await service.restError('GET', `items?id=eq.${at}`)).status).toBe(503);
      const lines = await restLines(100);
      expect(lines.length).toBeLessThanOrEqual(2);
      expect(lines.map(({ level }) => level)).toEqual(lines.map(() => error));
      expect(JSON.stringify(lines)).not.toContain('stack');
    } finally {
      await loadSql(
        service.db.url.replace(/[^/]*$/, 'postgres'),
        `alter database ${nameOf(service.db.url)} allow_connections true`,
      );
    }
  });
});

const nameOf = (url: string): string => new URL(url).pathname.slice(1);
