import type { Answer, Ruled } from '../../runtime/rules/support/ruled.js';
import type { Random } from '../random.js';
import { typeOf, type Heir } from './schema.js';
import { assigned, does, refuse, written, stepOf, writeInside } from './nested.js';
import type { Relation, Twin } from './twin.js';

export type Outcome = { readonly rows: unknown } | { readonly refused: string };

/** A request, and what naive SQL answers. */
export interface Question {
  readonly kind: string;
  readonly text: string;
  readonly writes: boolean;
  readonly ask: () => Promise<Outcome>;
  readonly expected: () => Promise<Outcome>;
}

interface Filter {
  readonly rest: string;
  readonly graphql: string;
  readonly sql: string;
}

const who = { sub: 'ada' };

/** Random requests about inherited tables over all doors. */
export class Questions {
  /** The number of the next new row. */
  private made = 0;

  constructor(
    private readonly random: Random,
    private readonly tables: readonly Heir[],
    private readonly served: Ruled,
    private readonly twin: Twin,
  ) {}

  next(): Question {
    const kinds = [
      'list',
      'list',
      'related',
      'pages',
      'aggregate',
      'byKey',
      'write',
      'write',
      'put',
      'ifMatch',
      'byId',
    ] as const;
    const kind = this.random.pick([...kinds, 'nested', 'nested', 'nested', 'nested'] as const);
    // A rule takes no writes of rows without a key, which cursors do not tell apart either.
    const needsKey = !['list', 'related', 'aggregate', ...(this.twin.isRuled ? [] : ['write'])].includes(kind);
    const table = this.random.pick(this.tables.filter(({ hasKey }) => hasKey || !needsKey));
    return this[kind](table);
  }

  private list(table: Heir): Question {
    const filter = this.filter();
    const embeds = this.embeds(table);
    const expected = this.shown(table, `where ${filter.sql}`, embeds);
    if (this.random.chance(50))
      return this.graphql('list', `{ rows: ${field(table)}(where: ${filter.graphql}) ${selected(embeds)} }`, expected);
    return this.rest('list', 'GET', `${table.name}?${filter.rest}&select=${columns(embeds)}`, undefined, expected);
  }

  /** Rows by a condition of their related rows. */
  private related(table: Heir): Question {
    const relations = this.twin.relations(table);
    if (relations.length === 0) return this.list(table);
    const relation = this.random.pick(relations);
    const v = String(this.random.below(4));
    const inner = `{ v: { gte: ${v} } }`;
    const where = relation.kind === 'one' ? inner : `{ some: ${inner} }`;
    const query = `{ rows: ${field(table)}(where: { ${fieldOf(relation)}: ${where} }) { tag v } }`;
    const condition = `where exists (select from ${this.twin.related(relation, `x.v >= ${v}`)})`;
    return this.graphql('related', query, this.shown(table, condition, []));
  }

  /** All pages of a connection, in their order. */
  private pages(table: Heir): Question {
    const filter = this.filter();
    const size = 1 + this.random.below(3);
    const page = async (after: string | null): Promise<readonly unknown[]> => {
      const { data, errors } = await this.served.ask(
        who,
        `{ rows: ${field(table)}Connection(where: ${filter.graphql}, orderBy: [{v: ASC}], first: ${String(size)},
           after: ${JSON.stringify(after)}) { nodes { tag v } pageInfo { endCursor hasNextPage } } }`,
      );
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      const { nodes, pageInfo } = (data as { rows: Page }).rows;
      return [...nodes, ...(pageInfo.hasNextPage ? await page(pageInfo.endCursor) : [])];
    };
    const numbered = (rows: unknown): Outcome => ({
      rows: (rows as readonly object[]).map((row, at) => ({ ...row, at })),
    });
    return {
      kind: 'pages',
      text: `pages of ${String(size)} of ${table.name} where ${filter.graphql}`,
      writes: false,
      ask: async () => numbered(await page(null)),
      expected: async () => numbered(await this.twin.shown(table, `where ${filter.sql}`, [])),
    };
  }

  private aggregate(table: Heir): Question {
    const filter = this.filter();
    const query = `{ rows: ${field(table)}Aggregate(where: ${filter.graphql}, groupBy: [v]) { count groups { key { v } count } } }`;
    return this.graphql('aggregate', query, async () => {
      const groups = await this.twin.run(
        `select json_build_object('v', v) as key, count(*)::int as count from ${this.twin.from(table.name)} r
         where ${filter.sql} group by v`,
      );
      return { rows: { count: groups.reduce((sum, each) => sum + Number(each['count']), 0), groups } };
    });
  }

  /** The row of the table that was created first. */
  private byKey(table: Heir): Question {
    const id = this.id();
    const embeds = this.embeds(table);
    const expected = async (): Promise<Outcome> => {
      const rows = await this.twin.shown(table, `where r.id = ${id} order by oid limit 1`, embeds);
      return { rows: (rows as readonly unknown[])[0] ?? null };
    };
    if (this.random.chance(50))
      return this.graphql('byKey', `{ rows: ${field(table)}ByPk(id: ${id}) ${selected(embeds)} }`, expected);
    const path = `${table.name}/${id}?select=${columns(embeds)}`;
    const ask = async (): Promise<Outcome> => {
      const { status, body } = await this.served.rest(who, 'GET', path);
      return status === 404 ? { rows: null } : outcomeOf({ status, body });
    };
    return { kind: 'byKey', text: path, writes: false, ask, expected };
  }

  /** PATCH and DELETE by a filter, and the same over GraphQL. */
  private write(table: Heir): Question {
    const filter = this.filter();
    const v = String(this.random.below(4));
    const name = field(table).replace(/^./, (first) => first.toUpperCase());
    if (this.random.chance(30)) {
      const expected = async (): Promise<Outcome> => ({ rows: await this.removed(table, filter.sql) });
      return this.random.chance(50)
        ? this.graphql('delete', `mutation { rows: delete${name}(where: ${filter.graphql}) { tag } }`, expected)
        : this.rest('delete', 'DELETE', `${table.name}?${filter.rest}&select=tag`, undefined, expected);
    }
    const embeds = this.embeds(table);
    const expected = (): Promise<Outcome> => this.changed(table, filter.sql, `v = ${v}`, embeds);
    if (this.random.chance(50)) {
      const arguments_ = `where: ${filter.graphql}, input: { v: ${v} }`;
      return this.graphql('update', `mutation { rows: update${name}(${arguments_}) ${selected(embeds)} }`, expected);
    }
    const path = `${table.name}?${filter.rest}&select=${columns(embeds)}`;
    return this.rest('update', 'PATCH', path, { v: Number(v) }, expected);
  }

  /** PUT and merges: the key is that of the table's own rows. */
  private put(table: Heir): Question {
    const id = this.id();
    const row = { id: Number(id), tag: this.tag(), v: this.random.below(4), shown: true, up_id: null };
    const { names, values } = written(row);
    const sets = Object.keys(row).map((name) => `${name} = excluded.${name}`);
    const expected = async (): Promise<Outcome> => {
      const hidden = await this.twin.run(`select from only shop.${table.name} where id = ${id} and not shown`);
      if (hidden.length > 0) refuse('a rule hides the row');
      await this.twin.run(
        `insert into shop.${table.name} (${names}) values (${values}) on conflict (id) do update set ${sets.join(', ')}`,
      );
      return { rows: [{ tag: row.tag }] };
    };
    return this.random.chance(50)
      ? this.rest('put', 'PUT', `${table.name}?id=eq.${id}&select=tag`, row, expected)
      : this.rest('merge', 'POST', `${table.name}?select=tag`, [row], expected, 'resolution=merge-duplicates,');
  }

  /** Writes with the entity tag that GET by key answers: of one row, or refused. */
  private ifMatch(table: Heir): Question {
    const id = this.id();
    const method = this.random.pick(['PATCH', 'PUT', 'DELETE']);
    const row = { id: Number(id), tag: this.tag(), v: this.random.below(4), shown: true, up_id: null };
    const path = `/api/v1/${table.name}`;
    const ask = async (): Promise<Outcome> => {
      const headers = await this.served.headersOf(who);
      const read = await fetch(`${this.served.base}${path}/${id}`, { headers });
      const etag = read.headers.get('etag') ?? '"none"';
      await read.text();
      const body = method === 'DELETE' ? {} : { body: JSON.stringify(method === 'PUT' ? row : { v: row.v }) };
      const answer = await fetch(`${this.served.base}${path}?id=eq.${id}`, {
        method,
        headers: { ...headers, 'if-match': etag, prefer: 'return=minimal' },
        ...body,
      });
      const text = await answer.text();
      return answer.ok ? { rows: 'written' } : { refused: text };
    };
    const expected = async (): Promise<Outcome> => {
      const rows = await this.twin.rows(table.name, `r.id = ${id}`);
      // PUT writes the table's own row, which is not always the one that GET answers.
      const own = method === 'PUT' ? rows.filter(({ own }) => own) : rows;
      const [shown] = [...rows];
      const [only, ...more] = own;
      if (only === undefined || more.length > 0) return refuse('not one row');
      if (shown?.tag !== only.tag) return refuse('another row');
      const where = `tag = '${only.tag}'`;
      if (method === 'DELETE') await this.removed(table, where);
      else await this.changed(table, where, method === 'PUT' ? assigned(row) : `v = ${String(row.v)}`, []);
      return { rows: 'written' };
    };
    return { kind: `ifMatch ${method}`, text: `${method} ${path}?id=eq.${id}`, writes: true, ask, expected };
  }

  /** `id` of GraphQL's writes means one row. */
  private byId(table: Heir): Question {
    const [id, v] = [this.id(), String(this.random.below(4))];
    const isDelete = this.random.chance(40);
    const given = isDelete
      ? `delete${typeOf(table.name)}(id: ${id})`
      : `update${typeOf(table.name)}(id: ${id}, input: { v: ${v} })`;
    return this.graphql('byId', `mutation { rows: ${given} { tag } }`, async () => {
      const rows = await this.twin.rows(table.name, `r.id = ${id}`);
      if (rows.length > 1) refuse('several rows');
      if (isDelete) return { rows: await this.removed(table, `id = ${id}`) };
      await this.changed(table, `id = ${id}`, `v = ${v}`, []);
      return { rows: rows.map(({ tag }) => ({ tag })) };
    });
  }

  /** Rows inside one row: what a key names is one row, or the write is refused. */
  private nested(given: Heir): Question {
    const relations = this.twin.relations(given);
    if (relations.length === 0) return this.list(given);
    const relation = this.random.pick(relations);
    const { to, kind } = relation;
    const other = this.tables.find(({ name }) => name === to) ?? given;
    if (!other.hasKey) return this.list(given);
    const around = this.random.pick(this.tables.filter(({ root }) => root === given.root));
    const tag = `${around.name} ${this.id()}`;
    const row = { id: 1 + this.random.below(9), tag: this.tag(), up_id: null };
    const step = this.random.pick(does);
    const write = { to: other, kind, does: step, id: this.id(), v: this.random.below(4), made: row };
    const query = `mutation { rows: update${typeOf(given.name)}(where: { tag: { eq: "${tag}" } },
      input: { ${fieldOf(relation)}: { ${stepOf(write)} } }) ${selected([relation])} }`;
    return this.graphql(`nested ${kind} ${step}`, query, async () => {
      const [found] = await this.twin.rows(given.name, `r.tag = '${tag}'`);
      if (found === undefined) return { rows: [] };
      await writeInside(this.twin, given, found, write);
      return { rows: await this.twin.shown(given, `where r.tag = '${tag}'`, [relation]) };
    });
  }

  /** Updates rows that requests see, and shows them as they are then. */
  private async changed(table: Heir, where: string, set: string, embeds: readonly Relation[]): Promise<Outcome> {
    const tags = await this.tagsOf(table, where);
    const changed = await this.twin.run<{ tag: string }>(
      `update shop.${table.name} set ${set} where tag in (${tags}) returning tag`,
    );
    const now = changed.map(({ tag }) => `'${tag}'`).join(', ');
    return { rows: await this.twin.shown(table, `where r.tag in (${now === '' ? 'null' : now})`, embeds) };
  }

  private async removed(table: Heir, where: string): Promise<readonly object[]> {
    return this.twin.run(
      `delete from shop.${table.name} where tag in (${await this.tagsOf(table, where)}) returning tag`,
    );
  }

  private async tagsOf({ name }: Heir, where: string): Promise<string> {
    const rows = await this.twin.rows(name, where.replace(/^(tag|id) /, 'r.$1 '));
    return rows.length === 0 ? 'null' : rows.map(({ tag }) => `'${tag}'`).join(', ');
  }

  private shown(table: Heir, tail: string, embeds: readonly Relation[]): () => Promise<Outcome> {
    return async () => ({ rows: await this.twin.shown(table, tail, embeds) });
  }

  private graphql(kind: string, query: string, expected: Question['expected']): Question {
    const ask = async (): Promise<Outcome> => {
      const { data, errors } = await this.served.ask(who, query);
      return errors === undefined
        ? { rows: (data as { readonly rows: unknown }).rows }
        : { refused: JSON.stringify(errors) };
    };
    return { kind: `GraphQL ${kind}`, text: query, writes: query.startsWith('mutation'), ask, expected };
  }

  private rest(
    kind: string,
    method: string,
    path: string,
    body: unknown,
    expected: Question['expected'],
    prefer = '',
  ): Question {
    const mount = this.random.pick(['/api/v1', '/rest/v1']);
    return {
      kind: `${mount} ${kind}`,
      text: `${method} ${mount}/${path} ${JSON.stringify(body ?? null)}`,
      writes: method !== 'GET',
      ask: async () =>
        outcomeOf(await this.served.rest(who, method, path, body, `${prefer}return=representation`, mount)),
      expected,
    };
  }

  private filter(): Filter {
    const [column, operator] = [this.random.pick(['id', 'v']), this.random.pick(['eq', 'lte'])];
    const value = String(this.random.below(5));
    const graphql = `{ ${column}: { ${operator}: ${value} } }`;
    return {
      rest: `${column}=${operator}.${value}`,
      graphql,
      sql: `r.${column} ${operator === 'eq' ? '=' : '<='} ${value}`,
    };
  }

  private embeds(table: Heir): readonly Relation[] {
    return this.twin.relations(table).filter(() => this.random.chance(50));
  }

  private id(): string {
    return String(1 + this.random.below(7));
  }

  private tag(): string {
    this.made += 1;
    return `new ${String(this.made)}`;
  }
}

interface Page {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
}

const lowered = (name: string): string => typeOf(name).replace(/^./, (first) => first.toLowerCase());
const field = ({ name }: Heir): string => lowered(name);
/** The field of a relation has the name of the column, or of the table that refers to the row. */
const fieldOf = ({ to, kind }: Relation): string => (kind === 'one' ? 'up' : lowered(to));
/** Related rows have the names of their tables, as in REST. */
const selected = (embeds: readonly Relation[]): string =>
  `{ tag v ${embeds.map((each) => `${each.to}: ${fieldOf(each)} { tag }`).join(' ')} }`;
const columns = (embeds: readonly Relation[]): string =>
  ['tag', 'v', ...embeds.map(({ to }) => `${to}(tag)`)].join(',');

function outcomeOf({ status, body }: Answer): Outcome {
  if (status >= 400) return { refused: JSON.stringify({ status, body }) };
  const isPage = typeof body === 'object' && body !== null && 'data' in body;
  return { rows: isPage ? body.data : body };
}
