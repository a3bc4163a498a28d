import { ServerError } from '../errors.js';
import type { Driver, Identity, RunOptions } from '../dialect/driver.js';
import { estimateTotal } from './estimate.js';
import type { BoundStatement, RawRow, Slot, Statement } from '../dialect/statement.js';

/**
 * Runs a statement as the caller, in one round trip.
 * @throws ServerError 400 if an input has a form that its slot does not accept; errors of the
 * driver
 */
export async function runStatement(
  driver: Pick<Driver, 'run'>,
  statement: Statement,
  inputs: unknown,
  identity: Identity,
  options?: RunOptions,
): Promise<readonly RawRow[]> {
  const asked = { ...options, identity };
  const rows = await driver.run([bindStatement(statement, inputs)], asked);
  if (statement.estimate === undefined) return rows;
  return estimateTotal(rows, statement.estimate, (each) => driver.run([bindStatement(each, inputs)], asked));
}

export function bindStatement({ text, slots, answers, items }: Statement, inputs: unknown): BoundStatement {
  const values = slots.map((slot) => bindSlot(slot, inputs));
  if (items === true) return { text, values, items };
  return answers === undefined ? { text, values } : { text, values, answers };
}

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
