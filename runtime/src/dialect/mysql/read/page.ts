import { sql } from 'kysely';
import type { Expression } from '../../../plan/read/plan.js';
import type { PageParts } from '../../sql/words.js';
import { inUtc } from '../parameters/instant.js';
import { isBit, isSingle } from '../parameters/type-name.js';
import { join, limitOf, type Fragment } from '../sql.js';
import { allKeys, orderBy, sortable, sorted, type OrderKey } from './expression.js';
import { opaqueList } from './opaque.js';
import { plainText } from './projection.js';
import type { Mysql, Scope } from './scope.js';
import { jsonText, listOf, valueText, type Text } from './text.js';

/** base64url of a JSON list: the fingerprint, then a text for each key. */
export function cursor(fingerprint: string, keys: readonly Expression[] | 'position', scope: Scope): Fragment {
  const texts: readonly Text[] =
    keys === 'position' ? [{ text: sql`p.n`, form: 'plain', nullable: false }] : keys.map((by) => keyText(by, scope));
  return opaqueList([jsonText(sql.raw(`'"${fingerprint}"'`)), ...texts]);
}

function keyText(by: Expression, scope: Scope): Text {
  const value = sortable(by, scope);
  // The value as the database reads it back: with every digit, and without formatting.
  const text = by.type.kind === 'bytes' ? sql`hex(${value})` : exactText(by, value, scope);
  return { text, form: 'escaped', nullable: true, test: value };
}

function exactText({ type }: Expression, value: Fragment, { style, compiler }: Scope): Fragment {
  if (isBit(type.sql)) return sql`cast(${value} + 0 as char)`;
  return type.kind === 'other' || isSingle(type.sql)
    ? plainText(type, value, style, compiler.types)
    : sql`cast(${inUtc(type, value, compiler.types.features)} as char)`;
}

const order = (descending: boolean): Fragment => sorted({ value: sql`p.n`, descending });

export const pageList = (each: Text, descending: boolean, kept: Fragment): Fragment =>
  listOf(valueText(each), [order(descending)], kept);

/** The first item of a list: a cursor has no comma. */
export function pageFirst(value: Fragment, descending: boolean, kept: Fragment): Fragment {
  const all = sql`group_concat(if(${kept}, ${value}, null) order by ${order(descending)} separator ',')`;
  return sql`substring_index(${all}, ',', 1)`;
}

/** From the inside out: `q` has the rows of the page and their keys, `p` numbers them. */
export function keyPage({ plan, scope, backward, columns, source }: PageParts<Mysql>): Fragment {
  const keys = allKeys(plan.order, scope, backward);
  const all = [...columns, ...namedKeys(keys)];
  const found = sql`select ${join(all)} ${source()} ${orderBy(keys)} ${limitOf({ limit: plan.page.fetch })}`;
  return sql`(select q.*, row_number() over (order by ${join(keysOf(keys))}) as n, count(*) over () as total from (${found}) as q) as p`;
}

/** All rows are numbered, and those of the window are joined to it. */
export function positionPage({ plan, scope, columns, source }: PageParts<Mysql>): Fragment {
  const over = orderBy(allKeys(plan.order, scope));
  const rows = sql`select ${join([...columns, sql`row_number() over (${over}) as n`])} ${source()}`;
  return sql`left join (${rows}) as p on p.n > w.start and p.n <= w.stop`;
}

const namedKeys = (keys: readonly OrderKey[]): readonly Fragment[] =>
  keys.map(({ value }, at) => sql`${value} as ${sql.id(`k${String(at)}`)}`);

const keysOf = (keys: readonly OrderKey[]): readonly Fragment[] =>
  keys.map(({ descending }, at) => sorted({ value: sql`q.${sql.id(`k${String(at)}`)}`, descending }));
