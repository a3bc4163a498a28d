import { ServerError } from '../errors.js';
import type { Driver, Identity, RunOptions } from '../dialect/driver.js';
import { estimateTotal } from './estimate.js';
import type { BoundStatement, RawRow, Slot, Statement } from '../dialect/statement.js';

/**
 * Runs a statement as the one who asks, in one round trip.
 * @throws ServerError 400 when an input has not the form its slot needs; whatever the driver throws
 */
export async function runStatement(
  driver: Pick<Driver, 'run'>,
  statement: Statement,
  inputs: unknown,
  identity: Identity,
  options?: RunOptions,
): Promise<readonly RawRow[]> {
  const run = (each: Statement): Promise<readonly RawRow[]> =>
    driver.run([bindStatement(each, inputs)], { ...options, identity });
  const rows = await run(statement);
  return statement.estimate === undefined ? rows : estimateTotal(rows, statement.estimate, run);
}

export const bindStatement = ({ text, slots }: Statement, inputs: unknown): BoundStatement => ({
  text,
  values: slots.map((slot) => bindSlot(slot, inputs)),
});

/** The encoders do not know whose value it is that they refuse. */
function bindSlot(slot: Slot, inputs: unknown): string | null {
  try {
    return slot.bind(inputs);
  } catch (error) {
    if (!(error instanceof ServerError) || error.details !== undefined || slot.subject === undefined) throw error;
    const { status, code, message, hint, kind, clientsMistake } = error;
    throw new ServerError(status, code, message, { details: `About ${slot.subject}.`, hint, kind, clientsMistake });
  }
}
