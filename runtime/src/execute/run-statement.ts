import { copyWith } from '../copy-with.js';
import { ServerError } from '../errors.js';
import { unusableValue } from '../response/unusable-value.js';
import type { AsBytes, Driver, Identity, RunOptions } from '../dialect/driver.js';
import type { RowFilter } from '../plan/context.js';
import type { RowConditions } from '../plan/intent.js';
import { estimateTotal } from './estimate.js';
import type { AnswerRow, BoundStatement, RawRow, Slot, Statement } from '../plan/statement.js';

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
  options: AsBytes,
  rowFilter?: RowFilter,
): Promise<readonly AnswerRow[]>;
export async function runStatement(
  driver: Pick<Driver, 'run'>,
  statement: Statement,
  inputs: unknown,
  identity: Identity,
  options?: RunOptions,
  rowFilter?: RowFilter,
): Promise<readonly RawRow[]>;
export async function runStatement(
  driver: Pick<Driver, 'run'>,
  statement: Statement,
  inputs: unknown,
  identity: Identity,
  options: RunOptions = {},
  rowFilter?: RowFilter,
): Promise<readonly AnswerRow[]> {
  const asked = copyWith(options, { identity });
  const rows = await driver.run([bindStatement(statement, inputs, rowFilter)], asked);
  if (statement.estimate === undefined) return rows;
  const again = withoutReadBack(asked);
  return estimateTotal(rows, statement.estimate, (each) => driver.run([bindStatement(each, inputs, rowFilter)], again));
}

/** The first statement of a request says what its answer is. */
function withoutReadBack(options: RunOptions): RunOptions {
  if (options.session?.after === undefined) return options;
  const { settings, before } = options.session;
  return { ...options, session: { settings, ...(before && { before }) } };
}

/** @param rowFilter the values of the conditions that limit the readable rows */
export function bindStatement(
  { text, slots, answers, items, runsCode, resultSet, check }: Statement,
  inputs: unknown,
  rowFilter?: RowFilter,
): BoundStatement {
  check?.(inputs);
  const conditions = rowFilter?.conditions;
  const values = slots.map((slot) => bindSlot(slot, inputs, conditions));
  if (resultSet === true) return { text, values, resultSet };
  if (items === undefined && runsCode === undefined)
    return answers === undefined ? { text, values } : { text, values, answers };
  return { text, values, ...(items && { items }), ...(runsCode && { runsCode }), ...(answers && { answers }) };
}

/** Adds the subject of the value to an error: encoders do not know it. */
function bindSlot(slot: Slot, inputs: unknown, conditions: RowConditions | undefined): string | null {
  try {
    return slot.bind(inputs, conditions);
  } catch (error) {
    if (error instanceof ServerError && slot.hook !== undefined) throw unusableValue(slot.hook, slot.subject, error);
    if (!(error instanceof ServerError) || error.details !== undefined || slot.subject === undefined) throw error;
    const { status, code, message, hint, kind, clientsMistake, reason } = error;
    throw new ServerError(status, code, message, {
      details: `About ${slot.subject}.`,
      hint,
      kind,
      clientsMistake,
      reason,
    });
  }
}
