import type { Identity } from '../driver.js';
import type { BoundStatement } from '../statement.js';

/** The variables of contract 2.6 and decisions 7, as MySQL's user variables: `@request.user_id`. */
const claimVariables = ['request.user_id', 'request.project_id', 'request.jwt.claims'] as const;

const text = `set ${claimVariables.map((name) => `@\`${name}\` = ?`).join(', ')}`;

const asked = new Map<string, string>();

/**
 * A read with who asks, as one statement: one round trip instead of two. MariaDB prepares a compound statement like any other, and answers the
 * rows of the read in it.
 * Source: https://mariadb.com/docs/server/reference/sql-statements/programmatic-compound-statements/begin-end
 */
export function readAs(identity: Identity, statement: BoundStatement): BoundStatement {
  const { text: set, values } = setIdentity(identity);
  let text = asked.get(statement.text);
  if (text === undefined) {
    if (asked.size >= MOST_KEPT) asked.clear();
    text = `begin not atomic ${set}; ${statement.text}; end`;
    asked.set(statement.text, text);
  }
  return { text, values: [...values, ...statement.values] };
}

/** Texts of statements that are kept with the setting around them. */
const MOST_KEPT = 5_000;

/** All of it whoever asks: what is missing is NULL, and not what somebody else left. */
export const setIdentity = ({ userId, projectId, claims }: Identity): BoundStatement => ({
  text,
  values: [userId ?? null, projectId ?? null, claims ?? null],
});

export const isSomebody = ({ userId, projectId, claims }: Identity): boolean =>
  userId !== undefined || projectId !== undefined || claims !== undefined;
