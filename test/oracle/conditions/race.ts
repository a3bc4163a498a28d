import { hides, isVisible, isWritable, type Row } from './model.js';
import type { Place } from './requests.js';
import type { Conditions } from './round.js';

/** Several writers send the same condition at the same time: one of them writes. */
export async function race(conditions: Conditions, at: Place): Promise<void> {
  const { table, caller } = at;
  // Hooks change what is written, and this caller may not give every column.
  if (table === 'hooked' || hides(table, caller, 'secret')) return;
  const row = conditions.models[at.tenant]?.row(table, at.id);
  if (row === undefined) await raceOfInserts(conditions, at);
  else if (isVisible(table, caller, row) && isWritable(table, caller, row)) await raceOfUpdates(conditions, at, row);
}

const writers = 3;

async function raceOfUpdates({ models, send, count, served }: Conditions, at: Place, row: Row): Promise<void> {
  const path = `${at.form}/${at.table}?id=eq.${String(at.id)}`;
  const { etag = '' } = (await send({ ...at, path, headers: {} }, 'GET')).headers;
  const change = changed(served, at.tenant, `update ${at.table} set n = n + 100 where id = ${String(at.id)}`);
  const bodies = Array.from({ length: writers }, (_, number) => ({ n: 20 + number }));
  const replies = await Promise.all(
    bodies.map((body) => send({ ...at, path, headers: { 'if-match': etag, prefer: 'return=minimal' } }, 'PATCH', body)),
  );
  await change;
  const won = written(replies.map(({ status }) => status));
  count(`race PATCH ${String(won.length)}`);
  if (won.length > 1) throw new Error('Several writers have written.');
  // The other client was the first one, or changed what the writer has written.
  const n = won[0] === undefined ? Number(row['n']) : 20 + won[0];
  models[at.tenant]?.set(at.table, at.id, { ...row, n: n + 100 });
}

/** A client whose statement is the victim of a deadlock sends it again. */
async function changed({ run }: Conditions['served'], tenant: number, sql: string): Promise<void> {
  for (;;) {
    try {
      await run(tenant, sql);
      return;
    } catch (error) {
      if (!String(error).includes('Deadlock')) throw error;
    }
  }
}

async function raceOfInserts({ models, send, count }: Conditions, at: Place): Promise<void> {
  const path = `${at.form}/${at.table}?id=eq.${String(at.id)}`;
  const model = models[at.tenant];
  const rows = Array.from({ length: writers }, (_, number): Row => ({
    id: at.id,
    n: 20 + number,
    note: 'race',
    secret: null,
    owner: at.caller.sub,
    shared: 0,
    ...(model?.isSwapped === true ? { extra: 1 } : {}),
  }));
  const replies = await Promise.all(
    rows.map((row) => send({ ...at, path, headers: { 'if-none-match': '*', prefer: 'return=minimal' } }, 'PUT', row)),
  );
  const won = written(replies.map(({ status }) => status));
  count(
    `race PUT ${replies
      .map(({ status }) => status)
      .toSorted()
      .join()}`,
  );
  if (won.length !== 1) throw new Error(`${String(won.length)} writers have inserted.`);
  model?.set(at.table, at.id, rows[won[0] ?? 0]);
}

/** The writers that have written; the others are told that they have not. */
function written(statuses: readonly number[]): readonly number[] {
  if (statuses.some((status) => status >= 300 && status !== 412))
    throw new Error(`A writer that was late is told ${statuses.join()}.`);
  return statuses.flatMap((status, at) => (status < 300 ? [at] : []));
}
