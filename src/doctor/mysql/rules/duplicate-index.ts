import { alone, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import type { MysqlIndexFacts } from '../facts.js';
import { quoted, quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

export const duplicateIndex: Rule<MysqlSubject> = {
  code: 'duplicate-index',
  severities: ['warning'],
  title: 'Indexes that hold the same as another one',
  why: 'Every write maintains both, and both take memory and disk. One of them serves every query.',
  find: ({ facts }) => {
    const groups = new Map<string, MysqlIndexFacts[]>();
    for (const index of facts.indexes) {
      const key = JSON.stringify([index.schema, index.table, index.layout]);
      groups.set(key, [...(groups.get(key) ?? []), index]);
    }
    return [...groups.values()].flatMap((group) => {
      const [kept, ...others] = [...group].sort(byWorth);
      if (kept === undefined) return [];
      return others.map((index) => ({
        severity: 'warning',
        kind: 'index',
        object: pathOf({ schema: index.schema, name: index.table }, index.name),
        message: `The index ${index.name} holds the same as ${kept.name}, on ${index.schema}.${index.table}.`,
        remedy: alone([
          `alter table ${quotedPath({ schema: index.schema, name: index.table })} drop index ${quoted(index.name)};`,
        ]),
      }));
    });
  },
};

/** The primary key comes first, then what is unique. Of equals, the first by name. */
function byWorth(a: MysqlIndexFacts, b: MysqlIndexFacts): number {
  const worth = (index: MysqlIndexFacts): number => (index.name === 'PRIMARY' ? 2 : 0) + (index.unique ? 1 : 0);
  return worth(b) - worth(a) || (a.name < b.name ? -1 : 1);
}
