import type { Identity } from '../driver.js';
import type { BoundStatement } from '../../plan/statement.js';

/** The variables of decision 007, as MySQL's user variables: `@request.user_id`. */
const claimVariables = ['request.user_id', 'request.project_id', 'request.jwt.claims'] as const;

/** The text of the statement of `setIdentity`. */
export const identityText = `set ${claimVariables.map((name) => `@\`${name}\` = ?`).join(', ')}`;

/** Assigns the variables of an anonymous request. */
export const noIdentity = claimVariables.map((name) => `@\`${name}\` = null`).join(', ');

/**
 * Sets all variables for every identity: an absent claim is NULL and not the value of an earlier
 * request.
 */
export const setIdentity = ({ userId, projectId, claims }: Identity): BoundStatement => ({
  text: identityText,
  values: [userId ?? null, projectId ?? null, claims ?? null],
});

export const isSomebody = ({ userId, projectId, claims }: Identity): boolean =>
  userId !== undefined || projectId !== undefined || claims !== undefined;
