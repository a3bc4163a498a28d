import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../../runtime/rest/support/client.js';
import { until } from '../../support/until.js';
import { Random } from '../random.js';
import type { DatabaseName } from '../schema.js';
import { callers, isVisible, kept, TenantModel, viewOf, type Row } from './model.js';
import { race } from './race.js';
import {
  answeredRow,
  expectedOf,
  forms,
  randomPlace,
  type Place,
  randomRead,
  randomWrite,
  type Expected,
  type Read,
  type Tag,
  type Write,
} from './requests.js';
import { openConditioned, type Conditioned } from './served.js';

export interface ConditionsRound {
  readonly database: DatabaseName;
  readonly seed: number;
  readonly requests: number;
}

/** How many writes had a status. */
export type ConditionsReport = ReadonlyMap<string, number>;

/** Tags of the same row that are kept: later ones are stale ones. */
const keptTags = 6;

/** What a step needs. */
export interface Conditions {
  readonly random: Random;
  readonly served: Conditioned;
  readonly models: readonly TenantModel[];
  readonly count: (kind: string) => void;
  readonly send: (
    at: Pick<Read, 'caller' | 'tenant' | 'path' | 'headers'>,
    method: string,
    body?: Row,
  ) => Promise<Reply>;
}

/**
 * Sends random writes with conditions between random changes of other clients, and decides by a
 * model of the rows what each of them answers and leaves.
 * @throws Error for a difference, with the command that repeats it
 */
export async function runConditionsRound({ database, seed, requests }: ConditionsRound): Promise<ConditionsReport> {
  const random = new Random(seed);
  const served = await openConditioned(database);
  const counts = new Map<string, number>();
  const steps: string[] = [];
  let number = 0;
  try {
    const models = [0, 1].map(() => new TenantModel(served.tables));
    const conditions: Conditions = {
      random,
      served,
      models,
      count: (kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1),
      send: async ({ caller, tenant, path, headers }, method, body) => {
        const all = { ...(await served.headersOf(caller)), 'x-tenant': `t${String(tenant)}`, ...headers };
        const reply = await served.send(
          method,
          path,
          all,
          method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body),
        );
        steps.push(
          `t${String(tenant)} ${caller.sub} ${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)} -> ${String(reply.status)} ${reply.headers.etag ?? ''} ${reply.text}`,
        );
        return reply;
      },
    };
    const tags = new Map<string, Tag[]>();
    const swapAt = Math.ceil(requests / 2);
    for (number = 1; number <= requests; number += 1) {
      if (number === swapAt) await swap(conditions);
      const at = randomPlace(random, served.tables);
      const known = tags.get(keyOf(at)) ?? [];
      tags.set(keyOf(at), known);
      await readSome(conditions, at, known);
      const change = randomChange(conditions, at);
      if (change !== undefined) {
        steps.push(`t${String(change.tenant)} ${change.sql}`);
        await served.run(change.tenant, change.sql);
      }
      if (random.chance(6)) await race(conditions, at);
      else await writeOne(conditions, at, known);
      await compareRows(conditions, number % 20 === 0 || number === requests ? undefined : at);
    }
    return counts;
  } catch (error) {
    const again = `npm run oracle -- --database=${database} --seed=${String(seed)} --requests=${String(requests)}`;
    throw new Error(
      `${database}, seed ${String(seed)}, step ${String(number)}:\n${steps.slice(-14).join('\n')}\n${String(error)}\nAgain: ${again}`,
      { cause: error },
    );
  } finally {
    await served.stop();
  }
}

const keyOf = ({ tenant, table, id }: Pick<Read, 'tenant' | 'table' | 'id'>): string =>
  `${String(tenant)} ${table} ${String(id)}`;

/** A change by another client, which asks no server. */
function randomChange({ random, models, served }: Conditions, at: Place): { tenant: number; sql: string } | undefined {
  if (!random.chance(65)) return undefined;
  const { tenant, table, id } = random.chance(35) ? at : randomPlace(random, served.tables);
  const model = models[tenant];
  const row = model?.row(table, id);
  if (row === undefined) {
    const made: Row = {
      id,
      n: random.chance(20) ? kept : random.below(5),
      note: random.pick(['a', 'b']),
      secret: 's',
      owner: random.pick(callers).sub,
      shared: random.below(2),
      ...(model?.isSwapped === true ? { extra: 5 } : {}),
    };
    model?.set(table, id, made);
    const columns = Object.keys(made);
    return {
      tenant,
      sql: `insert into ${table} (${columns.join(', ')}) values (${Object.values(made).map(sqlOf).join(', ')})`,
    };
  }
  if (table === 'plain' && random.chance(30)) {
    const kid = 1 + random.below(6);
    if (model?.kids.delete(kid) === true) return { tenant, sql: `delete from kids where id = ${String(kid)}` };
    model?.kids.set(kid, id);
    return { tenant, sql: `insert into kids values (${String(kid)}, ${String(id)})` };
  }
  if (random.chance(20)) {
    model?.set(table, id, undefined);
    return { tenant, sql: `delete from ${table} where id = ${String(id)}` };
  }
  const [column, value] = random.pick<readonly [string, string | number]>([
    ['n', random.below(5)],
    ['note', random.pick(['a', 'b', 'z'])],
    ['secret', random.pick(['s', 't'])],
    ['owner', random.pick(callers).sub],
    ['shared', random.below(2)],
  ]);
  model?.set(table, id, { ...row, [column]: value });
  return { tenant, sql: `update ${table} set ${column} = ${sqlOf(value)} where id = ${String(id)}` };
}

const sqlOf = (value: string | number | null): string => (typeof value === 'string' ? `'${value}'` : String(value));

/** A migration adds a column while the server runs. The database of the API is changed last. */
async function swap({ served, models, send }: Conditions): Promise<void> {
  for (const tenant of [1, 0])
    for (const table of served.tables)
      await served.run(tenant, `alter table ${table} add column extra int not null default 5`);
  for (const model of models) {
    model.isSwapped = true;
    for (const rows of model.tables.values()) for (const [id, row] of rows) rows.set(id, { ...row, extra: 5 });
  }
  const [caller] = callers;
  if (caller === undefined) return;
  await until(async () => {
    const statuses = await Promise.all(
      [0, 1].map((tenant) => send({ caller, tenant, path: '/api/v1/plain?select=extra', headers: {} }, 'GET')),
    );
    return statuses.every(({ status }) => status === 200);
  });
}

/** Clients read the row, mostly those that write it, and keep the tags. */
async function readSome({ random, models, send }: Conditions, at: Place, known: Tag[]): Promise<void> {
  const reads = random.times(random.below(3), () =>
    randomRead(random, random.chance(70) ? at : { ...at, caller: random.pick(callers), form: random.pick(forms) }),
  );
  for (const read of reads) {
    const reply = await send(read, 'GET');
    const model = models[read.tenant];
    const view = model && viewOf(model, read.table, read.id, read.caller, read.select);
    if (reply.status !== 200) {
      if (view !== undefined) throw new Error(`The row is not read: ${JSON.stringify(view)}.`);
      continue;
    }
    if (!read.isCsv && !isDeepStrictEqual(rowOf(reply.text), view))
      throw new Error(`The read is not ${JSON.stringify(view)}.`);
    if (view === undefined) continue;
    const { etag } = reply.headers;
    if (etag === undefined) throw new Error('The read has no tag.');
    known.unshift({ etag, form: read.form, isCsv: read.isCsv, view: JSON.stringify(view) });
  }
  known.splice(keptTags);
}

/** The row of an answer: a list, an envelope, or the row itself. Nothing orders embedded rows. */
function rowOf(text: string): unknown {
  const read = JSON.parse(text) as unknown;
  const list = typeof read === 'object' && read !== null && 'data' in read ? read.data : read;
  const row = Array.isArray(list) ? (list as readonly unknown[])[0] : list;
  if (typeof row !== 'object' || row === null || !('kids' in row)) return row;
  const kids = row.kids as readonly { readonly id: number }[];
  return { ...row, kids: kids.toSorted((one, other) => one.id - other.id) };
}

async function writeOne({ random, models, send, count }: Conditions, at: Place, tags: readonly Tag[]): Promise<void> {
  const extra = models[at.tenant]?.isSwapped === true ? ['extra'] : [];
  const write = randomWrite(random, at, tags, ['id', 'n', 'note', 'secret', 'owner', 'shared', ...extra]);
  const model = models[write.tenant];
  if (model === undefined) return;
  const expected = expectedOf(model, write);
  const reply = await send(write, write.method, write.body);
  count(`${write.method} ${String(reply.status)}`);
  const problem = difference(model, write, expected, reply);
  if (problem !== undefined) throw new Error(`${problem}: ${JSON.stringify(expected)}`);
  if (reply.status < 300) apply(model, write, expected);
}

function apply(model: TenantModel, { table, id, isDryRun, method }: Write, { effect }: Expected): void {
  if (effect.kind !== 'written' || isDryRun) return;
  model.set(table, id, effect.after);
  if (table === 'hooked' && method !== 'DELETE' && !effect.created) model.log.push(id);
}

function difference(model: TenantModel, write: Write, { matches, effect }: Expected, reply: Reply): string | undefined {
  const { status, text } = reply;
  const hasCode = text.includes('TW021');
  if (hasCode !== (status === 412)) return 'the status and the code differ';
  if (status >= 500) return 'the server failed';
  // A request that may not be made at all is refused before its conditions are looked at.
  const isForbidden = effect.kind === 'refused' && status >= 400 && status < 500 && status !== 412;
  if (matches === false)
    return status === 412 || ((status === 403 || status === 400) && isForbidden && write.method !== 'DELETE')
      ? undefined
      : 'the conditions do not hold';
  if (status === 412) return matches === true ? 'the conditions hold' : undefined;
  if (effect.kind === 'refused') return isForbidden ? undefined : 'it is refused';
  if (effect.kind === 'nothing') {
    const isObject = write.accept === 'application/vnd.pgrst.object+json';
    if (isObject) return status === 406 ? undefined : 'one row was asked for, and there is none';
    return status === 200 || status === 204 ? undefined : 'it does nothing';
  }
  if (status !== 200 && status !== 201 && status !== 204) return 'it is written';
  if (status === 201 && !effect.created) return 'nothing was inserted';
  if (status === 204 || text === '' || write.isCsv) return undefined;
  const isShown = isVisible(write.table, write.caller, effect.answered);
  // The rows that refer to a deleted one may be gone where the answer is read.
  if (write.method === 'DELETE' && write.select?.includes('kids(id)') === true) return undefined;
  const row = isShown ? answeredRow(model, write, effect.answered) : undefined;
  return isDeepStrictEqual(rowOf(text), row) ? undefined : `the answer is not ${JSON.stringify(row)}`;
}

/** The rows are those of the model: of the table of a write, or of all tables. */
async function compareRows({ served, models }: Conditions, at: Place | undefined): Promise<void> {
  for (const [tenant, model] of models.entries()) {
    if (at !== undefined && at.tenant !== tenant) continue;
    for (const table of at === undefined ? served.tables : [at.table]) {
      const rows = await served.run(tenant, `select * from ${table} order by id`);
      const expected = [...(model.tables.get(table)?.values() ?? [])].sort(
        (one, other) => Number(one['id']) - Number(other['id']),
      );
      if (!isDeepStrictEqual(rows, expected))
        throw new Error(
          `The rows of ${table} of t${String(tenant)} are ${JSON.stringify(rows)}, not ${JSON.stringify(expected)}`,
        );
    }
    const log = (await served.run(tenant, 'select id from log')).map(({ id }) => id);
    if (!isDeepStrictEqual(log.toSorted(), model.log.toSorted()))
      throw new Error(`The log of t${String(tenant)} is ${JSON.stringify(log)}, not ${JSON.stringify(model.log)}`);
  }
}
