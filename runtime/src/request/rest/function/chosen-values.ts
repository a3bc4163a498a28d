import { ServerError, codes } from '../../../errors.js';
import type { AttributeSelection, FunctionCall, ReadIntent, ValueIntent } from '../../../plan/intent.js';

/**
 * Filters and sorts the values of a function like rows, and selects columns of TABLE (…). Throws
 * ServerError 400 for a selection other than whole columns.
 */
export function chosenValues(call: FunctionCall, read: ReadIntent): ValueIntent {
  const { table, where, orderBy, limit, offset, vector } = read;
  if (vector !== undefined) throw unselectable('Values of functions are not searched by their distance.');
  return {
    call,
    chosen: {
      table,
      ...(where === undefined ? {} : { where }),
      ...(orderBy === undefined ? {} : { orderBy }),
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset }),
    },
    ...(call.function.record === true ? { select: read.select.map(attributeOf) } : {}),
    form: read.form,
  };
}

function attributeOf(selection: ReadIntent['select'][number]): AttributeSelection {
  if (selection.kind !== 'column' || selection.path !== undefined || selection.cast !== undefined) {
    throw unselectable('Columns of TABLE (…) are selected whole.');
  }
  return { kind: 'attribute', as: selection.as, attribute: selection.column };
}

const unselectable = (message: string): ServerError => new ServerError(400, codes.unsupported, message);
