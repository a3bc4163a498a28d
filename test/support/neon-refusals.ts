import type { FrontendMessage } from './postgres-messages.js';

/** What a client reads, and its SQLSTATE. */
export interface Refusal {
  readonly code: string;
  readonly reason: string;
}

export const insecure: Refusal = { code: 'XX000', reason: 'connection is insecure (try using `sslmode=require`)' };

/** Statements that need the same session later. PgBouncer runs them, and then they are gone. */
const ofSession =
  /^\s*(?:listen|unlisten|load|prepare|deallocate|discard|reset|set\s+(?!local\b|transaction\b|constraints\b)|declare\s.*\swith\s+hold\b|create\s+(?:local\s+|global\s+)?temp)|\bpg_(?:try_)?advisory_lock/is;

/**
 * The refusal of a StartupMessage.
 * @param isNamed whether the client has named the host in TLS, which chooses the database
 */
export function refusalOfStart(message: FrontendMessage, isNamed: boolean): Refusal | undefined {
  if (!isNamed) return { code: 'XX000', reason: 'Endpoint ID is not specified.' };
  const parameters = parametersOf(message);
  const option = /-c\s*(\w+(?:\.\w+)?)=/.exec(parameters.get('options') ?? '')?.[1];
  const unknown = parameters.has('replication') ? ': replication' : option && ` in options: ${option}`;
  return unknown === undefined ? undefined : { code: '08P01', reason: `unsupported startup parameter${unknown}` };
}

function parametersOf({ body }: FrontendMessage): ReadonlyMap<string, string> {
  const texts = body.toString('utf8', 4).split('\0');
  return new Map(texts.flatMap((name, at) => (at % 2 === 0 && name !== '' ? [[name, texts[at + 1] ?? '']] : [])));
}

/** The refusal of a message in a session. */
export function refusalInSession({ type, body }: FrontendMessage): Refusal | undefined {
  const [first = '', second = ''] = body.toString('utf8').split('\0');
  if (type === 'P' && first !== '') return { code: '0A000', reason: 'prepared statements are not supported' };
  const text = type === 'Q' ? first : type === 'P' ? second : '';
  return ofSession.test(text) ? { code: '0A000', reason: `a session keeps this: ${text}` } : undefined;
}
