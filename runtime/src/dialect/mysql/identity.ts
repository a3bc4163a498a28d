import type { Identity } from '../driver.js';
import type { BoundStatement } from '../statement.js';

/** The variables of contract 2.6 and decisions 7, as MySQL's user variables: `@request.user_id`. */
const claimVariables = ['request.user_id', 'request.project_id', 'request.jwt.claims'] as const;

const text = `set ${claimVariables.map((name) => `@\`${name}\` = ?`).join(', ')}`;

/** All of it whoever asks: what is missing is NULL, and not what somebody else left. */
export const setIdentity = ({ userId, projectId, claims }: Identity): BoundStatement => ({
  text,
  values: [userId ?? null, projectId ?? null, claims ?? null],
});

export const isSomebody = ({ userId, projectId, claims }: Identity): boolean =>
  userId !== undefined || projectId !== undefined || claims !== undefined;
