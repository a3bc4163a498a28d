import { ServerError } from '../../errors.js';
import type { Parameter } from '../../plan/parameter.js';
import { malformedCell, valueNeeded } from '../malformed.js';
import type { Slot, SlotSyntax } from '../../plan/statement.js';
import type { Encode } from './encode.js';

/**
 * The parameter's place in a statement: everything that does not depend on the value is decided
 * here, once.
 * @param encoderOf the encoder of the values; a value of a cursor needs none, because the database
 * wrote it
 */
export function createSlot(
  { value, as, required, cell, subject }: Parameter,
  encoderOf: () => Encode,
  syntax?: SlotSyntax,
): Slot {
  const { hook } = value;
  const about = {
    ...(subject === undefined ? {} : { subject }),
    ...(hook === undefined ? {} : { hook }),
    ...(syntax === undefined ? {} : { syntax }),
  };
  if (as === 'compared') return { bind: (inputs) => value.read(inputs) as string | null, ...about };
  const encode = encoderOf();
  return {
    bind: (inputs, conditions) => {
      const given = value.read(inputs, conditions);
      if (given === null || given === undefined) {
        if (required !== undefined) throw valueNeeded(required);
        return null;
      }
      return cell === undefined ? encode(given) : encodeCell(cell, encode, given);
    },
    ...about,
  };
}

/** A value that does not fit is a mistake in the body, and the error says of which column. */
export function encodeCell(column: string, encode: Encode, value: unknown): string {
  try {
    return encode(value);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.kind === undefined) throw malformedCell(column, error);
    const { status, code, message, hint, kind, clientsMistake } = error;
    throw new ServerError(status, code, message, { hint, kind, clientsMistake, details: `About column "${column}".` });
  }
}
