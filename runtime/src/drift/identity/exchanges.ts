import { doubtsOf, tableDoubts } from './doubts.js';
import type { Exchange } from './exchange.js';
import type { Protection } from './protection.js';
import { keyOf, type Shape, type TableShape } from './shape.js';

/**
 * Finds names that have changed their meaning, so that something protected could be read under a
 * name that nothing protects. PostgreSQL's tables and columns are found by their ids; where there
 * are none, by their order, types and keys, and a doubt counts. A rename to a new name, with
 * nothing in its place, is no exchange: other checks refuse it.
 * @param known the served state
 */
export function exchangesOf(known: Shape, found: Shape, protection: Protection): readonly Exchange[] {
  const protects = known.tables.filter((table) => protection.concerns(table));
  const hasIds = known.database !== undefined && known.database === found.database;
  const all = hasIds ? byId(protects, known, found, protection) : byForm(protects, known, found, protection);
  return found.dialect === 'postgres' ? all : all.map((each) => withViews(each, found));
}

function byId(
  protects: readonly TableShape[],
  known: Shape,
  found: Shape,
  protection: Protection,
): readonly Exchange[] {
  const tables = new Map(found.tables.map((table) => [table.id, table]));
  const [before, named] = [known, found].map((shape) => new Set(shape.tables.map(keyOf)));
  return protects.flatMap((table) => {
    const now = table.id === undefined ? undefined : tables.get(table.id);
    if (now === undefined) return [];
    const [was, is] = [keyOf(table), keyOf(now)];
    const isSame = was === is || (protection.isExcluded(table) && protection.isExcluded(now));
    const isExchanged = !isSame && (named?.has(was) === true || before?.has(is) === true);
    return [
      ...(isExchanged ? [exchange(was, is, before?.has(is) === true ? [now.name] : [])] : []),
      ...columnsById(table, now, protection),
    ];
  });
}

function columnsById(table: TableShape, now: TableShape, protection: Protection): readonly Exchange[] {
  const byNumber = new Map(now.columns.map(({ number, name }) => [number, name]));
  const [before, named] = [table, now].map(({ columns }) => new Set(columns.map(({ name }) => name)));
  return table.columns.flatMap(({ name: was, number }) => {
    const is = byNumber.get(number);
    if (is === undefined || is === was) return [];
    const covers = protection.covers(table, was);
    const reads = protection.reads(table, was) || protection.hasCondition(table);
    if (!covers && !reads) return [];
    if (protection.isExcluded(table, was) && protection.isExcluded(now, is)) return [];
    const isShown = before?.has(is) === true;
    if (!isShown && named?.has(was) !== true) return [];
    return [exchange(`${keyOf(table)}.${was}`, `${keyOf(now)}.${is}`, isShown || reads ? [now.name] : [])];
  });
}

const exchange = (was: string, is: string, withheld: readonly string[]): Exchange => ({
  message: `${was} is ${is} now.`,
  withheld,
});

function byForm(
  protects: readonly TableShape[],
  known: Shape,
  found: Shape,
  protection: Protection,
): readonly Exchange[] {
  const named = new Map(found.tables.map((table) => [keyOf(table), table]));
  return protects.flatMap((table) => {
    const now = named.get(keyOf(table));
    return [
      ...(now === undefined ? [] : doubtsOf(table, now, protection, found.dialect)),
      ...tableDoubts(table, known, named, protection),
    ];
  });
}

/** MariaDB's views read tables by name. Those with unknown sources may read any. */
function withViews({ message, withheld }: Exchange, { tables }: Shape): Exchange {
  const all = new Set(withheld);
  for (let size = 0; withheld.length > 0 && size !== all.size;) {
    size = all.size;
    for (const { isView, name, sources } of tables)
      if (isView && (sources?.some((each) => all.has(each.slice(each.indexOf('.') + 1))) ?? true)) all.add(name);
  }
  return { message, withheld: [...all] };
}
