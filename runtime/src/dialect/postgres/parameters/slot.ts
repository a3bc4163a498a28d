import { ServerError } from '../../../errors.js';
import type { Count, Parameter } from '../../../plan/parameter.js';
import { malformedCell, valueNeeded } from '../../malformed.js';
import type { Slot, SlotSyntax } from '../../statement.js';
import type { Types } from './encode.js';
import { encoderOf } from './forms.js';

/**
 * The parameter's place in a statement: everything that does not depend on the value is decided
 * here, once.
 */
export function slotOf(parameter: Parameter, types: Types): Slot {
  const { subject } = parameter;
  const syntax = syntaxOf(parameter);
  return {
    bind: bindOf(parameter, types),
    ...(subject === undefined ? {} : { subject }),
    ...(syntax === undefined ? {} : { syntax }),
  };
}

export const countSlot = ({ read }: Count): Slot => ({ bind: (inputs) => String(read(inputs)) });

function bindOf(parameter: Parameter, types: Types): Slot['bind'] {
  const { value, as, required, cell } = parameter;
  // The database wrote it.
  if (as === 'compared') return (inputs) => value.read(inputs) as string | null;
  const encode = encoderOf(parameter, types);
  return (inputs) => {
    const given = value.read(inputs);
    if (given === null || given === undefined) {
      if (required !== undefined) throw valueNeeded(required);
      return null;
    }
    return cell === undefined ? encode(given) : encodeCell(cell, encode, given);
  };
}

/** The language that a value is written in, where only the database can read it. */
function syntaxOf({ as, type, required }: Parameter): SlotSyntax | undefined {
  switch (as) {
    case 'searchQuery':
      return 'tsquery';
    case 'searchConfiguration':
      return 'configuration';
    case 'jsonPath':
      return 'jsonpath';
    case 'value':
    case 'list':
      return required !== undefined && type.kind === 'tsvector' ? 'tsvector' : undefined;
    default:
      return undefined;
  }
}

/** A value that does not fit is a mistake in the body, and the error says of which column. */
export function encodeCell(column: string, encode: (value: unknown) => string, value: unknown): string {
  try {
    return encode(value);
  } catch (error) {
    throw error instanceof ServerError ? malformedCell(column, error) : error;
  }
}
