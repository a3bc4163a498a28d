import type { RuleValue } from '@tablewright/runtime/model';

/**
 * A claim of the token, as a value in a rule. `userId` and `projectId` are those of the identity;
 * any other name is a claim, or a path such as `.app_metadata.team`. An identity without the claim
 * matches nothing.
 */
export const claim = (name: string): RuleValue => ({ claim: name });

/** The role of the request, as a value in a rule. */
export const role = (): RuleValue => ({ role: true });
