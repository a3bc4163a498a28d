import { readFile } from 'node:fs/promises';
import type { TestDatabase } from '../../../support/postgres.js';
import { openServed, type Served, type ServedServer } from '../../../support/served-as-role.js';

export { activity, until, type Activity } from '../../../support/served-as-role.js';

/** The shop's database and the server generated from it, which a test may start several times. */
export type Shop = Served;
export type ShopServer = ServedServer;

export const openShop = async (database?: TestDatabase): Promise<Shop> =>
  openServed({
    name: 'session_shop',
    schema: 'shop',
    sql: await readFile(new URL('shop.sql', import.meta.url), 'utf8'),
    database,
  });
