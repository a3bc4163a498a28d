import { LRUCache } from 'lru-cache';
import type { Settings } from '../../../settings/settings.js';
import type { BoundStatement } from '../../statement.js';
import type { Identity } from '../../driver.js';
import { identityText, setIdentity } from '../identity.js';
import { sessionAgain } from './session-settings.js';

/**
 * Statements that MariaDB takes as one, in one round trip: an error leaves the block, so that what
 * follows is not run. It needs no privilege, and is prepared like any other statement.
 * Source: https://mariadb.com/kb/en/begin-end/
 */
const block = (statements: readonly string[]): string => `begin not atomic ${statements.join('; ')}; end`;

/** Statements of requests that are not repeated are not kept for ever. */
const mostTexts = 1000;

/** The texts of blocks by the statements in them: each text is made, and hashed by mysql2, once. */
export class Compounds {
  readonly #reads = new LRUCache<string, string>({ max: mostTexts });
  readonly #writes = new LRUCache<string, string>({ max: mostTexts });
  readonly #afterwards: string;

  constructor(settings: Settings) {
    this.#afterwards = sessionAgain(settings);
  }

  /** The identity, and the read. */
  read(identity: Identity, { text, values, ...form }: BoundStatement): BoundStatement {
    return {
      ...form,
      text: kept(this.#reads, text, () => block([identityText, text])),
      values: [...setIdentity(identity).values, ...values],
    };
  }

  /**
   * The identity, the writes in a transaction, and the settings of the session, which code of the
   * database's author may have changed. Nothing of the transaction is committed behind an error:
   * the block ends there, and the transaction is open.
   */
  write(identity: Identity, statements: readonly BoundStatement[]): BoundStatement {
    const key = statements.map(({ text }) => text).join('; ');
    return {
      text: kept(this.#writes, key, () =>
        block([
          identityText,
          'start transaction read write',
          ...statements.flatMap(({ text, answers }) => (answers === 'count' ? [text, counted] : [text])),
          'commit',
          this.#afterwards,
        ]),
      ),
      values: [...setIdentity(identity).values, ...statements.flatMap(({ values }) => values)],
    };
  }
}

/** How many rows the statement before has changed. */
const counted = 'select row_count()';

/** Whether a read may stand in a block: all that the compiler makes begin with this word. */
export const isPlainRead = ({ text }: BoundStatement): boolean => text.startsWith('select ');

function kept(texts: LRUCache<string, string>, key: string, make: () => string): string {
  const found = texts.get(key);
  if (found !== undefined) return found;
  const made = make();
  texts.set(key, made);
  return made;
}
