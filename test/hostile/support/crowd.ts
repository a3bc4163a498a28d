import fc from 'fast-check';
import type { Reply } from '../../runtime/rest/support/client.js';
import type { Served, ServedServer } from '../../support/served-as-role.js';
import { json, verdictOf, type Protocol, type Verdict } from './requests.js';

export const USERS = 400;
const SEEDED = 40;

/** One request of the crowd. */
export interface Asked {
  /** Undefined for a request without a token. */
  readonly user: number | undefined;
  readonly protocol: Protocol;
  readonly action: 'list' | 'read' | 'insert' | 'several' | 'update' | 'delete' | 'refused';
}

/** A seed always gives the same requests in the same order. Half of the requests are reads. */
export const requests = (count: number, seed: number): readonly Asked[] =>
  fc.sample(
    fc.record({
      user: fc.option(fc.integer({ min: 1, max: USERS }), { nil: undefined, freq: 12 }),
      protocol: fc.constantFrom<Protocol>('REST', 'GraphQL'),
      action: fc.constantFrom<Asked['action']>(
        ...(['list', 'list', 'list', 'read', 'read', 'read'] as const),
        ...(['insert', 'insert', 'several', 'update', 'delete', 'refused'] as const),
      ),
    }),
    { numRuns: count, seed },
  );

/**
 * The problems of an answer, and the ledger entries that exist if its write was committed, and
 * otherwise do not.
 */
export interface Answered {
  readonly verdict: Verdict;
  readonly writes: readonly string[];
  readonly leaks: readonly string[];
  readonly reply: Reply;
}

/** Sends requests as many users, and keeps the owner of each row. */
export class Crowd {
  readonly #tokens = new Map<number, string>();
  /** How many of each user's seeded rows are assigned to delete requests. */
  readonly #deleted = new Map<number, number>();

  constructor(private readonly server: ServedServer) {}

  async enter(served: Served): Promise<void> {
    for (let user = 1; user <= USERS; user += 1) this.#tokens.set(user, await served.token(`user${user}`));
  }

  async ask(asked: Asked, number: number): Promise<Answered> {
    const { user } = asked;
    const tag = `t${number}`;
    const id = this.#rowFor(asked);
    const { method, path, body, document, writes, fails } = describe(asked.action, tag, id);
    const headers = user === undefined ? {} : { authorization: `Bearer ${this.#tokens.get(user) ?? ''}` };
    const reply = await (asked.protocol === 'REST'
      ? this.server.send(method, path, body === undefined ? headers : { ...json, ...headers }, body)
      : this.server.ask(document, headers));
    const verdict = verdictOf(reply);
    const leaks = ownersIn(reply.text).filter((owner) => owner !== `user${user ?? ''}`);
    if (verdict === 'done' && fails) leaks.push('a write that the database refuses was answered as done');
    return { verdict, leaks, reply, writes: user === undefined ? [] : writes };
  }

  /** A seeded row of the user: each row is deleted at most once, and no deleted row is updated. */
  #rowFor({ user, action }: Asked): number {
    // No request without a token deletes a row.
    if (user === undefined) return SEEDED;
    const deleted = this.#deleted.get(user) ?? 0;
    // A second delete of a row would find it missing even if the first delete was answered with an
    // error.
    if (action === 'delete' && deleted === SEEDED - 1)
      throw new Error(`More rows of user ${user} are to be deleted than were seeded.`);
    const at = action === 'delete' ? deleted : SEEDED - 1;
    if (action === 'delete') this.#deleted.set(user, deleted + 1);
    return (user - 1) * SEEDED + at + 1;
  }
}

interface Form {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly document: string;
  readonly writes: readonly string[];
  readonly fails: boolean;
}

function describe(action: Asked['action'], tag: string, id: number): Form {
  const path = '/api/v1/notes?select=id,owner,tag';
  const one = `${path}&id=eq.${id}`;
  const selection = '{ id owner tag }';
  const where = `where: {id: {eq: ${id}}}`;
  const plain = { method: 'GET', path: one, writes: [], fails: false };
  switch (action) {
    case 'list':
      return { ...plain, path, document: `{ rows: hostileNotes ${selection} }` };
    case 'read':
      return { ...plain, document: `{ rows: hostileNotes(${where}) ${selection} }` };
    case 'insert':
      return {
        ...plain,
        ...{ method: 'POST', path, body: JSON.stringify({ tag }), writes: [tag] },
        document: `mutation { rows: createHostileNotes(input: {tag: "${tag}"}) ${selection} }`,
      };
    case 'several':
      return {
        ...plain,
        ...{ method: 'POST', path, body: JSON.stringify([{ tag: `${tag}a` }, { tag: `${tag}b` }]) },
        document: `mutation { a: createHostileNotes(input: {tag: "${tag}a"}) ${selection} b: createHostileNotes(input: {tag: "${tag}b"}) ${selection} }`,
        writes: [`${tag}a`, `${tag}b`],
      };
    case 'update':
      return {
        ...plain,
        ...{ method: 'PATCH', body: JSON.stringify({ tag }), writes: [tag] },
        document: `mutation { rows: updateHostileNotes(${where}, input: {tag: "${tag}"}) ${selection} }`,
      };
    case 'delete':
      return {
        ...plain,
        ...{ method: 'DELETE', writes: [`gone ${id}`] },
        document: `mutation { rows: deleteHostileNotes(${where}) ${selection} }`,
      };
    case 'refused':
      return {
        ...plain,
        ...{ method: 'POST', path, body: JSON.stringify({ tag, owner: 'thief' }), writes: [tag], fails: true },
        document: `mutation { rows: createHostileNotes(input: {tag: "${tag}", owner: "thief"}) ${selection} }`,
      };
  }
}

/** The owners of all rows in an answer. */
const ownersIn = (text: string): string[] => [...text.matchAll(/"owner":\s*"([^"]*)"/g)].map(([, owner = '']) => owner);
