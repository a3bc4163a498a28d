import type { Agent } from '../../runtime/mcp/support/agent.js';
import { randomComparisons } from '../filter.js';
import type { Random } from '../random.js';
import type { OracleRequest } from '../request.js';
import { createRequests } from '../requests.js';
import type { Answer } from '../round.js';
import type { DatabaseName, OracleTable } from '../schema.js';
import { Documents, type Shape } from './documents.js';

/** Where a question is asked, as one identity. */
export interface Asked {
  readonly base: string;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
}

/** Names as they are without a prefix and with simple names of relations. */
const named = (text: string): string =>
  text
    .replaceAll('§§', '')
    .replace(/§(\w)(\w*)/g, (_, first: string, rest: string) => `${first.toLowerCase()}${rest.replace(/Id$/, '')}`);

/** A random request, over any door. */
export interface Question {
  readonly door: string;
  readonly text: string;
  readonly writes: boolean;
  readonly ask: (of: Asked) => Promise<Answer>;
}

export function createQuestions(
  random: Random,
  tables: readonly OracleTable[],
  shapes: readonly Shape[],
  database: DatabaseName,
): () => Question {
  const requests = createRequests(random, tables, database);
  const documents = new Documents(random, shapes);
  return () => {
    const kind = random.below(100);
    if (kind < 40) return byDocument(documents.query(), false, random.chance(25));
    if (kind < 55) return byDocument(documents.mutation(), true, random.chance(25));
    if (kind < 65) return byTool(random, tables);
    let request = requests();
    // A function sees all rows, and PUT takes all columns: hidden ones, too. Hidden rows may refer
    // to a row whose key is changed: the foreign key refuses that, as docs/row-rules.md says.
    while (request.path.includes('/rpc/forget') || request.method === 'PUT' || movesKeys(request)) request = requests();
    return byRequest(request);
  };
}

const movesKeys = ({ method, path }: OracleRequest): boolean =>
  method === 'PATCH' && /[?&]columns=(?:[^&]*,)?id(?:,|&|$)/.test(path);

function byDocument(query: string, writes: boolean, byAgent: boolean): Question {
  if (byAgent) return tool('graphql', { query }, writes);
  const body = JSON.stringify({ query });
  return byRequest({ method: 'POST', path: '/graphql', headers: { 'content-type': 'application/json' }, body });
}

function byRequest({ method, path, headers, body }: OracleRequest): Question {
  const sent = body === undefined ? {} : { body: path === '/graphql' ? named(body) : body };
  const door = path === '/graphql' ? 'GraphQL' : path.startsWith('/rest') ? 'mount' : 'REST';
  return {
    door,
    text: JSON.stringify({ method, path, headers, ...sent }),
    writes: method !== 'GET' && method !== 'HEAD',
    ask: async ({ base, headers: identity }) => {
      const response = await fetch(base + path, {
        method,
        headers: { ...identity, ...headers },
        ...sent,
      });
      const kept = ['content-type', 'content-range', 'location', 'preference-applied'].flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      return { status: response.status, headers: Object.fromEntries(kept), text: await response.text() };
    },
  };
}

function byTool(random: Random, tables: readonly OracleTable[]): Question {
  const table = random.pick(tables);
  const { name, columns } = table;
  const filters = randomComparisons(random, table).map(({ column, operator, values, negated }) => ({
    column: column.name,
    operator: operator === 'null' ? 'is' : operator,
    value: operator === 'null' ? null : operator === 'in' ? values : values[0],
    ...(negated ? { not: true } : {}),
  }));
  const target = columns.find((column) => column.target !== undefined)?.target;
  const groups = columns.filter(({ kind }) => kind !== 'json').map((column) => column.name);
  switch (random.below(4)) {
    case 0:
      return tool('aggregate_rows', { table: name, filters, groupBy: random.some(groups, 40) }, false);
    case 1:
      return tool(
        'delete_rows',
        { table: name, filters: [{ column: 'id', operator: 'eq', value: 20 + random.below(16) }] },
        true,
      );
    default: {
      const embed = target === undefined ? {} : { embed: [{ relation: target }] };
      return tool(
        'query_rows',
        { table: name, filters, order: ['id.desc'], count: random.chance(50), ...embed },
        false,
      );
    }
  }
}

const tool = (name: string, given: Readonly<Record<string, unknown>>, writes: boolean): Question => ({
  door: `MCP ${name}`,
  text: JSON.stringify({ name, given }),
  writes,
  ask: async ({ agent }) => {
    const { isError, text } = await agent.call(name, given);
    return { status: isError ? 400 : 200, headers: { 'content-type': 'application/json' }, text };
  },
});
