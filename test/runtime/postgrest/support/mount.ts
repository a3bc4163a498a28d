import { createServer } from '../../../../runtime/src/extensions/create-server.js';
import { describeDatabase, type DescribeOptions } from '../../../support/describe-database.js';
import { reachEnvironment } from '../../../support/pooler.js';
import { createFilledDatabase } from '../../../support/postgres.js';
import { createClient, type Client, type Reply } from '../../rest/support/client.js';
import { generatedOf } from '../../rest/support/generated.js';

/** A server with the mount `/rest/v1`, over a database of its own. */
export interface Mount extends Client {
  readonly stop: () => Promise<void>;
}

export async function startMount(
  name: string,
  sql: string,
  environment: Readonly<Record<string, string>> = {},
  options: DescribeOptions = {},
): Promise<Mount> {
  const database = await createFilledDatabase(name, sql);
  const { descriptors } = await describeDatabase(database.url, options);
  const server = createServer({
    generated: generatedOf(descriptors),
    environment: { ...reachEnvironment(database.url), APP_REST_POSTGREST: '/rest/v1', PORT: '0', ...environment },
    observe: () => undefined,
  });
  await server.listen({ ownsProcess: false });
  return {
    ...createClient(server.address ?? ''),
    stop: () => server.close().finally(() => database.drop()),
  };
}

/** One request and its expected answer. */
export interface Case {
  /** `GET` if it has none. Below the mount, or from the root if it begins with `/api`. */
  readonly ask: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status?: number;
  /** The parsed body, or the text of one that is not JSON. */
  readonly json?: unknown;
  readonly text?: string;
  /** Headers of the answer; null: absent. */
  readonly has?: Readonly<Record<string, string | null>>;
}

export const encoded = (path: string): string =>
  path.replace(/[ "<>{}|\\^`]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

/** Sends a case, and answers what it says next to what came. */
export async function play(mount: Pick<Client, 'send'>, { ask, headers = {}, body, ...expected }: Case): Promise<void> {
  const [, method = 'GET', path = ''] = /^(?:([A-Z]+) )?(.*)$/s.exec(ask) ?? [];
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const place = path.startsWith('/api') ? path : `/rest/v1${path}`;
  const reply = await mount.send(method, encoded(place), { ...type, ...headers }, text);
  const answered = { status: reply.status, ...bodyOf(reply, expected), ...headersOf(reply, expected) };
  const { status = 200, json, text: wanted, has } = expected;
  expect(answered).toEqual({
    status,
    ...('json' in expected ? { json } : {}),
    ...('text' in expected ? { text: wanted } : {}),
    ...(has === undefined ? {} : { has }),
  });
}

function bodyOf({ text }: Reply, expected: Pick<Case, 'json' | 'text' | 'status'>): Record<string, unknown> {
  if ('text' in expected) return { text };
  if ('json' in expected) return { json: parsed(text) };
  return {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const headersOf = ({ headers }: Reply, { has }: Pick<Case, 'has'>): Record<string, unknown> =>
  has === undefined
    ? {}
    : { has: Object.fromEntries(Object.keys(has).map((name) => [name, headers[name.toLowerCase()] ?? null])) };
