import pg from 'pg';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import type { Heir, Hierarchy } from './schema.js';

export interface Row {
  readonly tag: string;
  readonly id: number;
  readonly up_id: number | null;
  /** Whether it is in the table itself, and in none that inherits from it. */
  readonly own: boolean;
}

/** A relation of a table: to one row, or to the rows whose foreign key refers to it. */
export interface Relation {
  readonly to: string;
  readonly kind: 'one' | 'many';
}

/** A copy of the database, which naive SQL of the test reads and writes. */
export class Twin {
  private constructor(
    private readonly client: pg.Client,
    private readonly hierarchy: Hierarchy,
    readonly close: () => Promise<void>,
  ) {}

  static async open(hierarchy: Hierarchy): Promise<Twin> {
    const database = await createTestDatabase('oracle_twin');
    await loadSql(database.url, `create schema shop; set search_path to shop; ${hierarchy.sql}`);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return new Twin(client, hierarchy, async () => {
      await client.end();
      await database.drop();
    });
  }

  /** The rows of a table that requests see. */
  from(name: string, only = ''): string {
    return `(select *, tableoid as oid, tableoid = 'shop.${name}'::regclass as own
      from ${only} shop.${name} where ${this.hierarchy.rule})`;
  }

  relations({ name, target }: Heir): readonly Relation[] {
    const reverse = this.hierarchy.tables.filter((each) => each.target === name);
    return [
      ...(target === undefined ? [] : [{ to: target, kind: 'one' as const }]),
      ...reverse.map((each) => ({ to: each.name, kind: 'many' as const })),
    ];
  }

  /** Related rows of the row `r`. */
  related({ to, kind }: Relation, where = 'true'): string {
    return kind === 'one'
      ? `${this.from(to, 'only')} x where x.id = r.up_id and (${where})`
      : `${this.from(to)} x where x.up_id = r.id and r.own and (${where})`;
  }

  /** Rows as JSON, with the tags of related rows. */
  async shown(table: Heir, tail: string, embeds: readonly Relation[]): Promise<unknown> {
    const inside = embeds.map((relation) => {
      const tag = `json_build_object('tag', x.tag)`;
      const select = relation.kind === 'one' ? tag : `coalesce(json_agg(${tag}), '[]')`;
      return `'${relation.to}', (select ${select} from ${this.related(relation)})`;
    });
    const row = `json_build_object(${[`'tag', r.tag`, `'v', r.v`, ...inside].join(', ')})`;
    const [found] = await this.run<{ rows: unknown }>(
      `select coalesce(json_agg(shown order by v, id, oid), '[]') as rows
       from (select ${row} as shown, v, id, oid from ${this.from(table.name)} r ${tail}) s`,
    );
    return found?.rows;
  }

  rows(name: string, where: string): Promise<readonly Row[]> {
    return this.run(`select r.* from ${this.from(name)} r where ${where} order by id, oid`);
  }

  async run<T extends pg.QueryResultRow>(sql: string): Promise<readonly T[]> {
    return (await this.client.query<T>(sql)).rows;
  }

  get isRuled(): boolean {
    return this.hierarchy.rule !== 'true';
  }

  /** All rows of all tables, as SQL. */
  get all(): string {
    const each = this.hierarchy.tables.map(
      ({ name }) => `select '${name}' as "in", tag, id, v, up_id from only shop.${name}`,
    );
    return `${each.join(' union all ')} order by 1, 2`;
  }
}
