import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { askMariadb } from './mariadb.js';
import { localNeeds, type LocalNeed } from './needs.js';
import { askNats, askPatiently, askRedis, type Answer, type Refusal } from './servers.js';

/** A server that has to run, and what starts it. */
interface ServerNeed {
  readonly title: string;
  readonly install: string;
  readonly find: () => Promise<Answer | Refusal>;
}

const localMariadb = 'mysql://root@127.0.0.1:3306/';
const local = { nats: 'nats://127.0.0.1:4222', redis: 'redis://127.0.0.1:6379' } as const;
const givenMariadb = (): string => process.env['TEST_MYSQL_URL'] ?? '';

/** The port is the default one of MariaDB when the address has none. */
function withPort(address: string): string {
  const url = new URL(address);
  if (url.port === '') url.port = '3306';
  return url.href;
}

const serverNeeds = {
  mariadb: {
    title: 'MariaDB',
    install: 'apt-get install mariadb-server, with a root without a password at 127.0.0.1:3306; or TEST_MYSQL_URL',
    find: async () => {
      const address = withPort(givenMariadb() === '' ? localMariadb : givenMariadb());
      return askPatiently(address, () => askMariadb(address));
    },
  },
  redis: { title: 'Redis', install: 'apt-get install redis-server', find: () => askPatiently(local.redis, askRedis) },
  nats: { title: 'NATS', install: 'apt-get install nats-server', find: () => askPatiently(local.nats, askNats) },
} satisfies Readonly<Record<string, ServerNeed>>;

/** The name of something that suites need and that not every machine has. */
export type Need = keyof typeof localNeeds | keyof typeof serverNeeds;

const needs: Readonly<Record<Need, LocalNeed | ServerNeed>> = { ...serverNeeds, ...localNeeds };
const names = Object.keys(needs) as readonly Need[];

/** What a machine has: an absent entry has a reason. */
export type Facts = Readonly<Record<Need, Answer | Refusal>>;

/** The variable with the facts, for all workers and the processes that they start. */
const variable = 'TEST_MACHINE';

/** Needs that a run treats as absent: `TEST_WITHOUT=postgres,pgbouncer`. */
const without = (): readonly string[] =>
  (process.env['TEST_WITHOUT'] ?? '').split(',').flatMap((name) => [name, ...(parts[name] ?? [])]);

/** Needs that only work with another one. */
const parts: Readonly<Record<string, readonly Need[]>> = {
  postgres: ['standbys', 'postgis', 'pgcron'],
  mariadbd: ['galera'],
};

/**
 * Finds what this machine has. A run does it once, before the first suite: see `global-setup.js`.
 * @throws Error when the server at TEST_MYSQL_URL cannot be used
 */
export async function findMachine(): Promise<Facts> {
  const found = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
  const facts = Object.fromEntries(found) as Facts;
  const { mariadb } = facts;
  if (givenMariadb() !== '' && 'reason' in mariadb) throw new Error(`TEST_MYSQL_URL: ${mariadb.reason}`);
  process.env[variable] = JSON.stringify(facts);
  return facts;
}

async function find(name: Need): Promise<Answer | Refusal> {
  if (without().includes(name)) return { reason: 'hidden by TEST_WITHOUT' };
  const need = needs[name];
  const at = await need.find();
  if (at === undefined) return { reason: '' };
  if (typeof at === 'object') return at;
  return { at, version: 'version' in need ? await versionOf(need.version(at)) : '' };
}

/** The first number with a dot that a program prints; it may be absent. */
async function versionOf([program, ...args]: readonly [string, ...string[]]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] }).on('error', () => undefined);
  return /\d+\.\d[\w.]*/.exec(await text(child.stdout).catch(() => ''))?.[0] ?? '';
}

/**
 * What this machine has of a name, or undefined. Outside a run of Jest, as in benchmarks, it looks
 * for local software itself.
 */
export function found(name: Need): Answer | undefined {
  const given = process.env[variable];
  if (given !== undefined) {
    const fact = (JSON.parse(given) as Facts)[name];
    return 'at' in fact ? fact : undefined;
  }
  const at = without().includes(name) ? undefined : needs[name].find();
  if (typeof at === 'object') throw new Error(`A run of Jest finds ${needs[name].title}, and this is none.`);
  return at === undefined ? undefined : { at, version: '' };
}

/** The need in words, with the command that installs it: `PgBouncer: apt-get install pgbouncer`. */
export const describeNeed = (name: Need): string => `${needs[name].title}: ${needs[name].install}`;

/** For the beginning of a run: what the machine has, and a line for each thing that it lacks. */
export function describeFacts(facts: Facts): string {
  const present = names.flatMap((name) => {
    const fact = facts[name];
    return 'at' in fact ? [`${needs[name].title} ${fact.version}`.trim()] : [];
  });
  const lines = names.flatMap((name) => {
    const fact = facts[name];
    if ('at' in fact) return [];
    return [`Not here: ${describeNeed(name)}${fact.reason === '' ? '' : ` (${fact.reason})`}`];
  });
  return [`Here: ${present.join(', ')}`, ...lines].join('\n');
}
