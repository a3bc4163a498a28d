import type { ColumnType, Kind } from '../../../descriptor/descriptor.js';
import { malformed } from '../../malformed.js';
import { misfitCursor } from '../../misfit-cursor.js';
import type { Slot } from '../../../plan/statement.js';
import { isPositioned } from './positions.js';
import { isBit } from './type-name.js';

const whole = /^-?\d+$/;
const decimal = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i;
const day = /^\d{4}-\d\d-\d\d/;

/** The texts that a CAST to the type reads as they are. It makes 0 or NULL of any other. */
const forms: Partial<Record<Kind, RegExp>> = {
  int: whole,
  bigint: whole,
  boolean: whole,
  numeric: decimal,
  money: decimal,
  float: decimal,
  date: day,
  timestamp: day,
  time: /^-?\d+:\d\d/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  bytes: /^([\da-f]{2})*$/i,
};

/** Values that are ordered by their number. */
const position = /^\d{1,20}$/;

/** A value in a cursor, which may be from before its column had this type. */
export function cursorSlot(text: Slot, type: ColumnType): Slot {
  const form = isPositioned(type) || isBit(type.sql) ? position : forms[type.kind];
  if (form === undefined) return text;
  return {
    ...text,
    bind: (inputs) => {
      const given = text.bind(inputs);
      if (given !== null && !form.test(given)) throw malformed(misfitCursor.message, misfitCursor.hint);
      return given;
    },
  };
}
