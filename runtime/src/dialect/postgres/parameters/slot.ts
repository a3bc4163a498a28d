import type { Count, Parameter } from '../../../plan/parameter.js';
import { createSlot } from '../../sql/slot.js';
import type { Slot, SlotSyntax } from '../../../plan/statement.js';
import type { Types } from './encode.js';
import { encoderOf } from './forms.js';

export const slotOf = (parameter: Parameter, types: Types): Slot =>
  createSlot(parameter, () => encoderOf(parameter, types), syntaxOf(parameter));

export const countSlot = ({ read }: Count): Slot => ({ bind: (inputs) => String(read(inputs)) });

/** The language of a value, if only the database can parse it. */
function syntaxOf({ as, type, required }: Parameter): SlotSyntax | undefined {
  switch (as) {
    case 'searchQuery':
      return 'tsquery';
    case 'searchConfiguration':
      return 'configuration';
    case 'jsonPath':
      return 'jsonpath';
    case 'compared':
      return 'cursor';
    case 'value':
    case 'list':
      return required !== undefined && type.kind === 'tsvector' ? 'tsvector' : undefined;
    default:
      return undefined;
  }
}
