import type { Identity } from '../driver.js';
import type { BoundStatement } from '../statement.js';

/** The variables of contract 2.6 and decisions 7, as MySQL's user variables: `@request.user_id`. */
const claimVariables = ['request.user_id', 'request.project_id', 'request.jwt.claims'] as const;

/** The statement of `setIdentity`. */
export const identityText = `set ${claimVariables.map((name) => `@\`${name}\` = ?`).join(', ')}`;

/**
 * All variables for every identity: an absent claim is NULL, and not the value of an earlier
 * request.
 */
export const setIdentity = ({ userId, projectId, claims }: Identity): BoundStatement => ({
  text: identityText,
  values: [userId ?? null, projectId ?? null, claims ?? null],
});

export const isSomebody = ({ userId, projectId, claims }: Identity): boolean =>
  userId !== undefined || projectId !== undefined || claims !== undefined;
