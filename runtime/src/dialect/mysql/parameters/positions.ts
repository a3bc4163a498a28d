import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Parameter } from '../../../plan/parameter.js';
import type { Slot } from '../../../plan/statement.js';
import type { Types } from '../read/scope.js';
import { membersOf } from './encode.js';
import { slotOf } from './parameter.js';

/**
 * Whether values of a type are ordered by position instead of by text. The database sorts a column
 * of these types by position, but compares it with a parameter as text.
 */
export const isPositioned = ({ kind }: ColumnType): boolean => kind === 'enum' || kind === 'array';

/** The labels of an ENUM or a SET, in the order of their declaration. */
export const labelsOf = (type: ColumnType, { enums }: Pick<Types, 'enums'>): readonly string[] =>
  enums.get((type.kind === 'array' ? type.element?.enum : type.enum) ?? '')?.values.map(({ label }) => label) ?? [];

/** The position of a parameter: the number of a label, or the bits of the members of a SET. */
export function positionSlot(of: Parameter, types: Types): Slot {
  const text = slotOf(of, types);
  const position = positionOf(of.type, types);
  return {
    ...text,
    bind: (inputs) => {
      const given = text.bind(inputs);
      return given === null ? null : position(given);
    },
  };
}

function positionOf(type: ColumnType, types: Types): (text: string) => string {
  const labels = labelsOf(type, types);
  if (type.kind === 'enum') return (label) => String(labels.indexOf(label) + 1);
  return (members) =>
    String(membersOf(members).reduce((bits, member) => bits | (1n << BigInt(labels.indexOf(member))), 0n));
}
