import type { Identity } from '../driver.js';
import type { BoundStatement } from '../../plan/statement.js';

/** The variables of decision 007. */
export const claimVariables = ['request.user_id', 'request.project_id', 'request.jwt.claims'] as const;

export const claimValues = ({ userId = '', projectId = '', claims = '' }: Identity): readonly string[] => [
  userId,
  projectId,
  claims,
];

/**
 * Sets every value, even for an anonymous request: an absent claim becomes empty, or the
 * connection's own role, so that no value of an earlier request remains.
 */
export const setIdentity = (identity: Identity): BoundStatement => ({
  text: identityText,
  values: [...claimValues(identity), identity.role ?? null],
});

const identityText = `select ${[...claimVariables, 'role'].map((name, at) => `pg_catalog.set_config('${name}', $${String(at + 1)}, true)`).join(', ')}`;
