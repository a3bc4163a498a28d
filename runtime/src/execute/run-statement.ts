import { copyWith } from '../copy-with.js';
import { ServerError } from '../errors.js';
import { unusableValue } from '../response/unusable-value.js';
import type { Driver, Identity, RunOptions } from '../dialect/driver.js';
import type { RowFilter } from '../plan/context.js';
import type { RowConditions } from '../plan/intent.js';
import { estimateTotal } from './estimate.js';
import type { AnswerRow, BoundStatement, RawRow, Slot, Statement } from '../plan/statement.js';

/** `rowFilter` has the values of the conditions that limit the readable rows. */
type Asked = [
  driver: Pick<Driver, 'run'>,
  statement: Statement,
  inputs: unknown,
  identity: Identity,
  options?: RunOptions,
  rowFilter?: RowFilter,
];

/**
 * Runs a statement as the caller, in one round trip.
 * @throws ServerError 400 if an input has a form that its slot does not accept; errors of the
 * driver
 */
export const runStatement = (...asked: Asked): Promise<readonly RawRow[]> =>
  runEstimated(asked, (driver, statement, options) => driver.run([statement], options));

/** The same for an answer that is passed on: its long texts may be bytes. */
export const readAnswer = (...asked: Asked): Promise<readonly AnswerRow[]> =>
  runEstimated(asked, (driver, statement, options) => driver.run([statement], { bytes: true, ...options }));

async function runEstimated<Field extends AnswerRow[number]>(
  [driver, statement, inputs, identity, given = {}, rowFilter]: Asked,
  run: (driver: Asked[0], statement: BoundStatement, options: RunOptions) => Promise<readonly (readonly Field[])[]>,
): Promise<readonly (readonly (Field | string | null)[])[]> {
  const options = copyWith(given, { identity });
  const rows = await run(driver, bindStatement(statement, inputs, rowFilter), options);
  if (statement.estimate === undefined) return rows;
  const again = withoutReadBack(options);
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
