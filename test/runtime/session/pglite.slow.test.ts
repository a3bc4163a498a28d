import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { BoundStatement } from '../../../runtime/src/plan/statement.js';
import { settingsWith } from '../../support/intents.js';

/**
 * PGlite is a single session that all requests share. It has to give the same guarantees as
 * drivers/pg for its connections.
 */
let driver: Driver;

const bound = (text: string): BoundStatement => ({ text, values: [] });

beforeAll(async () => {
  driver = createDriver(settingsWith({ 'app.datasource.url': 'pglite:', 'app.security.jwt-enabled': true }));
  const setUp = [
    `create table t (id int primary key)`,
    `create role lite_other`,
    `create function leave() returns int language plpgsql as $$ begin
       perform set_config('request.user_id', 'mallory', false), set_config('role', 'lite_other', false),
         set_config('TimeZone', 'Asia/Tokyo', false), set_config('search_path', 'pg_temp', false),
         set_config('default_transaction_read_only', 'off', false);
       return 1;
     end $$`,
    `create function sneaky() returns int language plpgsql as $$ begin insert into public.t values (-1); return 1; end $$`,
  ];
  await driver.transaction(async (run) => {
    for (const text of setUp) await run([bound(text)]);
  });
});
afterAll(() => driver.close());

const seen = bound(
  `select current_setting('request.user_id', true), current_setting('request.jwt.claims', true), current_user = session_user,
     current_setting('TimeZone'), current_setting('search_path'), current_setting('transaction_read_only')`,
);
const leaves = bound('select public.leave()');

const leavings: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a read', () => driver.run([leaves])],
  ['a write', () => driver.run([leaves], { write: true })],
  ['a transaction', () => driver.transaction((run) => run([leaves]))],
];

test.each(leavings)('what %s leaves in the session counts for nobody', async (_name, leave) => {
  const path = 'public';
  await leave();
  expect(await driver.run([seen])).toEqual([['', '', 't', 'UTC', path, 'on']]);
  await leave();
  expect(await driver.run([seen], { identity: { userId: 'ada', claims: '{}' } })).toEqual([
    ['ada', '{}', 't', 'UTC', path, 'on'],
  ]);
  await leave();
  expect(await driver.run([seen], { write: true })).toEqual([['', '', 't', 'UTC', path, 'off']]);
  expect(await driver.transaction((run) => run([seen]))).toEqual([['', '', 't', 'UTC', path, 'off']]);
  await expect(driver.run([bound('select public.sneaky()')])).rejects.toMatchObject({ code: '25006' });
});
