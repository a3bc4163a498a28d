import { claimVariables } from './drivers/session-settings.js';
import type { Driver, Identity, RunOptions } from './driver.js';
import { estimateTotal } from './estimate.js';
import type { BoundStatement, RawRow, Statement } from './statement.js';

/**
 * Runs a statement as the one who asks. Claims are set local to the transaction by a statement before it in the same
 * round trip; without any there is nothing to set and no transaction to open. Never by the statement itself: it may
 * read its rows before it sets them.
 * @throws ServerError 400 when an input has not the form its slot needs; whatever the driver throws
 */
export async function runStatement(
  driver: Pick<Driver, 'run'>,
  statement: Statement,
  inputs: unknown,
  identity: Identity,
  options?: RunOptions,
): Promise<readonly RawRow[]> {
  const claims = identityStatement(identity);
  const run = (each: Statement): Promise<readonly RawRow[]> => {
    const bound = bindStatement(each, inputs);
    return driver.run(claims === undefined ? [bound] : [claims, bound], options);
  };
  const rows = await run(statement);
  return statement.estimate === undefined ? rows : estimateTotal(rows, statement.estimate, run);
}

export const bindStatement = ({ text, slots }: Statement, inputs: unknown): BoundStatement => ({
  text,
  values: slots.map((slot) => slot.bind(inputs)),
});

/**
 * Sets all claim variables as soon as there is one, so that what is missing is empty and not somebody else's; and the
 * role, where there is one. Undefined for an anonymous request without a role.
 */
export function identityStatement({ userId, projectId, claims, role }: Identity): BoundStatement | undefined {
  const anonymous = userId === undefined && projectId === undefined && claims === undefined;
  if (anonymous) return role === undefined ? undefined : { text: setRole, values: [role] };
  const values = [userId ?? '', projectId ?? '', claims ?? ''];
  return role === undefined ? { text: setClaims, values } : { text: setClaimsAndRole, values: [...values, role] };
}

const claimCalls = claimVariables.map((name, at) => `set_config('${name}', $${at + 1}, true)`).join(', ');
const setClaims = `select ${claimCalls}`;
const setClaimsAndRole = `select ${claimCalls}, set_config('role', $${claimVariables.length + 1}, true)`;
const setRole = `select set_config('role', $1, true)`;
