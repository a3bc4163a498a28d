import type { Settings } from '../../../settings/settings.js';
import type { BoundStatement } from '../../../plan/statement.js';
import type { Identity } from '../../driver.js';
import { identityText, setIdentity } from '../identity.js';
import { sessionAgain, type SessionZone } from './session-settings.js';
import { commitText } from './outcome.js';
import { BoundedCache } from '../../../bounded-cache.js';

/**
 * Statements that MariaDB receives as one, in one round trip. An error leaves the block, so that
 * the statements after it do not run. A block needs no privilege, and is prepared like any other
 * statement.
 * Source: https://mariadb.com/kb/en/begin-end/
 */
const block = (statements: readonly string[]): string => `begin not atomic ${statements.join('; ')}; end`;

/** Bounds the cache: texts of requests that are not repeated are evicted. */
const maxTexts = 1000;

/**
 * The texts of blocks by their statements, so that each text is made, and hashed by mysql2, once.
 */
export class Compounds {
  readonly #reads = new BoundedCache<string>({ max: maxTexts });
  readonly #writes = new BoundedCache<string>({ max: maxTexts });

  /** @param zone that a session has between statements */
  constructor(
    private readonly settings: Settings,
    private readonly zone: () => SessionZone,
  ) {}

  get #afterwards(): string {
    return sessionAgain(this.settings, this.zone());
  }

  /**
   * A block that sets the identity and reads. After a read of a view it also sends the settings of
   * the session, which functions of the view may have changed.
   */
  read(identity: Identity, { text, values, ...form }: BoundStatement): BoundStatement {
    return {
      ...form,
      text: kept(this.#reads, text, () =>
        block([identityText, text, ...(form.runsCode === true ? [this.#afterwards] : [])]),
      ),
      values: [...setIdentity(identity).values, ...values],
    };
  }

  /**
   * A block with the identity, the writes in a transaction, and the settings of the session, which
   * triggers and functions may have changed. After an error nothing is committed: the block ends
   * there, and the transaction stays open.
   */
  write(identity: Identity, statements: readonly BoundStatement[]): BoundStatement {
    const key = statements.map(({ text }) => text).join('; ');
    return {
      text: kept(this.#writes, key, () =>
        block([
          identityText,
          'start transaction read write',
          ...statements.flatMap(({ text, answers }) => (answers === 'count' ? [text, counted] : [text])),
          commitText,
          this.#afterwards,
        ]),
      ),
      values: [...setIdentity(identity).values, ...statements.flatMap(({ values }) => values)],
    };
  }
}

/** How many rows the statement before has changed. */
const counted = 'select row_count()';

/** Whether a read may be in a block: all reads of the compiler begin with this word. */
export const isPlainRead = ({ text }: BoundStatement): boolean => text.startsWith('select ');

function kept(texts: BoundedCache<string>, key: string, make: () => string): string {
  const found = texts.get(key);
  if (found !== undefined) return found;
  const made = make();
  texts.set(key, made);
  return made;
}
