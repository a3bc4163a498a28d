import type { Random } from '../random.js';

/** A table of a random hierarchy: rows of tables that inherit from it are among its rows. */
export interface Heir {
  readonly name: string;
  /** The table that it inherits from, directly or not; its own name where it inherits from none. */
  readonly root: string;
  readonly hasKey: boolean;
  /** The table to which the column `up_id` refers, where a foreign key says so. */
  readonly target?: string;
}

export interface Hierarchy {
  readonly tables: readonly Heir[];
  readonly sql: string;
  /** The condition of the rows that requests see. */
  readonly rule: string;
}

const targets = { boss: undefined, node: 'boss', item: 'node' } as const;
const keys = 6;

/**
 * Three tables that refer to each other, and up to three levels of tables that inherit from one or
 * two of each, with equal keys in all of them. `tag` tells every row apart, and no request changes
 * it.
 */
export function randomHierarchy(random: Random, isRuled: boolean): Hierarchy {
  const tables: Heir[] = [];
  const statements: string[] = [];
  for (const [root, target] of Object.entries(targets)) {
    const family = [root];
    const refers = target === undefined ? [] : [`, foreign key (up_id) references ${target}`];
    tables.push({ name: root, root, hasKey: true, ...(target && { target }) });
    statements.push(
      `create table ${root} (id int primary key, tag text not null, v int not null default 0,
         shown boolean not null default true, up_id int${refers.join('')});`,
    );
    for (const at of random.times(random.below(4), (each) => each)) {
      const name = `${root}_${String(at)}`;
      const hasKey = random.chance(50);
      const refersToo = target !== undefined && random.chance(40) ? refers : [];
      tables.push({ name, root, hasKey, ...(refersToo.length > 0 && target && { target }) });
      const parts = [...(hasKey ? ['primary key (id)'] : []), ...refersToo.map((each) => each.slice(2))];
      statements.push(`create table ${name} (${parts.join(', ')}) inherits (${parentsIn(random, family)});`);
      family.push(name);
    }
  }
  const rows = tables.map(({ name, root }) => rowsOf(random, name, root !== 'boss', isRuled));
  return { tables, sql: [...statements, ...rows].join('\n'), rule: isRuled ? 'shown' : 'true' };
}

/** One table, or two: their columns are merged, and a row is in each of both. */
function parentsIn(random: Random, family: readonly string[]): string {
  return random
    .shuffled(family)
    .slice(0, random.chance(30) ? 2 : 1)
    .join(', ');
}

function rowsOf(random: Random, name: string, refers: boolean, isRuled: boolean): string {
  const ids = Array.from({ length: keys }, (_, at) => at + 1).filter((id) => random.chance(id === 1 ? 100 : 55));
  const rows = ids.map((id) => {
    // The row 1 is in every table, so that a reference to it holds.
    const reference = refers && random.chance(60) ? '1' : 'null';
    const shown = isRuled && random.chance(25) ? 'false' : 'true';
    return `(${String(id)}, '${name} ${String(id)}', ${String(random.below(4))}, ${shown}, ${reference})`;
  });
  return `insert into ${name} (id, tag, v, shown, up_id) values ${rows.join(', ')};`;
}

/** The type that GraphQL has for a table. */
export const typeOf = (name: string): string =>
  name.replace(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
