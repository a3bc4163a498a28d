import { expect, test } from '@jest/globals';
import { createRestHandler } from '../../../../runtime/src/endpoint/rest/handler.js';
import type { RawRow } from '../../../../runtime/src/plan/statement.js';
import { serve, servicesOf } from '../../../support/memory-server.js';
import { recordingDialect } from '../../../support/recording-dialect.js';
import { boardRegistry, tableOf } from '../../../support/registry.js';
import { itemsMount } from './form.js';

/** A form of REST is one record: none of its words is in the core. */
async function ask(path: string, row: RawRow, body?: string): Promise<readonly [number, unknown]> {
  const table = tableOf(boardRegistry, 'kanbanIssues');
  const routes = [
    {
      table,
      list: (exchange) => exchange.list(table),
      row: (exchange) => exchange.row(table),
      insert: (exchange) => exchange.insert(table),
    },
  ] satisfies Parameters<typeof createRestHandler>[1]['routes'];
  const openapi = () => Promise.resolve(Buffer.from('{}'));
  const services = servicesOf(recordingDialect(() => [row]));
  const url = await serve(createRestHandler(services, { routes, openapi }, itemsMount));
  const headers = { 'content-type': 'application/json', prefer: 'return=representation' };
  const response = await fetch(`${url}/items${path}`, body === undefined ? {} : { method: 'POST', headers, body });
  return [response.status, await response.json()];
}

const one: RawRow = ['[{"id":1}]', '1', null];

test('a list has the envelope of the form', async () => {
  expect(await ask('/issues?select=id&limit=5', one)).toEqual([200, { items: [{ id: 1 }] }]);
});

test('the grammar differs in one member: a parameter without a value, or given again, is ignored', async () => {
  expect(await ask('/issues?select=id&select=title&id', one)).toEqual([200, { items: [{ id: 1 }] }]);
  expect(await ask('/issues?select=id&limit=1&limit=x', one)).toMatchObject([400, { problem: expect.anything() }]);
});

test('a row', async () => {
  expect(await ask('/issues/1?select=id', ['{"id":1}', '1', null])).toEqual([200, { id: 1 }]);
});

test('a write', async () => {
  expect(await ask('/issues?select=id', ['[{"id":7}]', '1', '1', null], '{"title":"x"}')).toEqual([
    201,
    { items: [{ id: 7 }] },
  ]);
});

test('errors have the shape of the form', async () => {
  expect(await ask('/nothing', one)).toEqual([404, { problem: 'There is no table "nothing" here.' }]);
  expect(await ask('/issues?nothing=eq.1', one)).toMatchObject([400, { problem: expect.stringContaining('nothing') }]);
});
