import { keyOf, type Diagram, type DiagramReference, type DiagramTable } from './diagram.js';

export interface Group {
  readonly schema: string;
  readonly name: string;
  readonly tables: readonly DiagramTable[];
}

/** With more tables, a group is divided. */
const mostTables = 60;
const fewest = 3;

/**
 * Tables in groups that one can see at once: by schema, then by the first word of their names, then
 * in the order of their names.
 */
export function groupsOf(tables: readonly DiagramTable[]): readonly Group[] {
  return by(tables, ({ schema }) => schema).flatMap(([schema, own]) => {
    if (own.length <= mostTables) return [{ schema, name: schema, tables: own }];
    const words = by(own, ({ name }) => name.split('_')[0] ?? '');
    const rest = words.filter(([, some]) => some.length < fewest).flatMap(([, some]) => some);
    const named = words.filter(([, some]) => some.length >= fewest);
    return [...named.flatMap(([word, some]) => divided(schema, `${word}…`, some)), ...divided(schema, 'others', rest)];
  });
}

const collator = new Intl.Collator('en', { numeric: true });

function divided(schema: string, name: string, tables: readonly DiagramTable[]): readonly Group[] {
  if (tables.length === 0) return [];
  if (tables.length <= mostTables) return [{ schema, name, tables }];
  const sorted = [...tables].sort((one, other) => collator.compare(one.name, other.name));
  return Array.from({ length: Math.ceil(sorted.length / mostTables) }, (_, at) => {
    const part = sorted.slice(at * mostTables, (at + 1) * mostTables);
    return { schema, name: `${part[0]?.name ?? ''} to ${part.at(-1)?.name ?? ''}`, tables: part };
  });
}

function by<T>(items: readonly T[], keyFor: (item: T) => string): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyFor(item);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [item]);
    else own.push(item);
  }
  return [...groups];
}

/** Names of tables that a group shows. */
const maxNames = 5;

/** Groups as the tables of a diagram, with a line where tables of one refer to those of another. */
export function groupDiagram(groups: readonly Group[], { references }: Pick<Diagram, 'references'>): Diagram {
  const boxes = groups.map(({ schema, name, tables }): DiagramTable => {
    const names = tables.slice(0, maxNames).map((table) => table.name);
    const more = tables.length - names.length;
    return {
      schema,
      name: `${name} (${String(tables.length)})`,
      kind: 'table',
      comment: null,
      columns: [...names, ...(more > 0 ? [`and ${String(more)} more`] : [])].map((each) => ({
        name: each,
        type: '',
        nullable: false,
        comment: null,
      })),
      primaryKey: [],
      uniques: [],
    };
  });
  const groupOf = new Map(groups.flatMap(({ tables }, at) => tables.map((table) => [keyOf(table), boxes[at]])));
  const lines = new Map<string, DiagramReference>();
  for (const reference of references) {
    const [from, to] = [groupOf.get(keyOf(reference.from)), groupOf.get(keyOf(reference.to))];
    if (from === undefined || to === undefined || from === to) continue;
    const end = ({ schema, name }: DiagramTable) => ({ schema, name, columns: [] });
    lines.set(`${keyOf(from)} ${keyOf(to)}`, {
      ...reference,
      name: 'references',
      from: end(from),
      to: end(to),
      single: false,
    });
  }
  return { tables: boxes, references: [...lines.values()], enums: [] };
}
