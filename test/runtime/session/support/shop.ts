import { readFile } from 'node:fs/promises';
import type { TestDatabase } from '../../../support/postgres.js';
import { openServed, type Served, type ServedServer } from '../../../support/served-as-role.js';

export { activity, until, type Activity } from '../../../support/served-as-role.js';

/** The shop's database and the server generated from it, which a test may start several times. */
export type Shop = Served;
export type ShopServer = ServedServer;

/** The rule that says what the policy of shop.sql says. */
const rules = { 'shop.notes': { read: { owner: { eq: { claim: 'userId' } } } } };

/** @param decidedBy what says whose notes somebody sees and writes */
export async function openShop(database?: TestDatabase, decidedBy: 'policies' | 'rules' = 'policies'): Promise<Shop> {
  const sql = await readFile(new URL('shop.sql', import.meta.url), 'utf8');
  const ruled = `${sql} alter table shop.notes disable row level security;`;
  return openServed({
    name: 'session_shop',
    schema: 'shop',
    database,
    ...(decidedBy === 'policies' ? { sql } : { sql: ruled, config: { rules } }),
  });
}
