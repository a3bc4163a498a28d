/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleModel, ConsoleTable } from '../console-model.js';
import { button, choice, element } from './dom.js';
import { referenceOf } from './labels.js';
import { referenceInput, type Control } from './reference-input.js';
import { exactNumber, parseJson } from './requests.js';
import { textOf } from './row-state.js';

/** An input for a column's values, of the kind of its type. */
export interface ValueInput {
  readonly element: HTMLElement;
  readonly focus: () => void;
  /** The value for a request; `undefined`: nothing was entered, so that the row keeps its own. */
  readonly read: () => { readonly value: unknown } | { readonly problem: string };
}

type State = 'unset' | 'null' | 'value';

/** @param value undefined for a new row */
export function valueInput(
  model: ConsoleModel,
  table: ConsoleTable,
  column: ConsoleColumn,
  value: unknown,
  attributes: Readonly<Record<string, string>>,
): ValueInput {
  let state: State = 'unset';
  const control = controlOf(model, table, column, value, attributes);
  const note = element('small', { class: 'soft' });
  const read = (): ReturnType<ValueInput['read']> => {
    if (state !== 'value') return { value: state === 'null' ? null : undefined };
    const text = control.get();
    if (text === '' && column.kind !== 'text')
      return column.nullable ? { value: null } : { problem: `${column.name} needs a value.` };
    return parse(column, text, zoneOf(value, column));
  };
  const show = (): void => {
    const result = read();
    note.textContent =
      'problem' in result
        ? result.problem
        : result.value === undefined
          ? value === undefined
            ? unsetNote(column)
            : value === null
              ? 'null'
              : ''
          : result.value === null
            ? 'null'
            : result.value === ''
              ? 'empty text'
              : '';
  };
  const changed = (): void => {
    state = 'value';
    show();
  };
  control.field.addEventListener('input', changed);
  control.field.addEventListener('change', changed);
  show();
  const setNull = button(
    'null',
    () => {
      control.set('');
      state = 'null';
      show();
    },
    { class: 'small', 'aria-label': `Set ${column.name} to null` },
  );
  return {
    element: element('span', { class: 'value' }, control.element, column.nullable ? setNull : undefined, note),
    focus: () => {
      control.field.focus();
    },
    read,
  };
}

function unsetNote({ hasDefault, default: text, nullable }: ConsoleColumn): string {
  if (hasDefault) return text === null ? 'default' : `default ${text}`;
  return nullable ? 'null' : 'required';
}

const jsonKinds = new Set(['json', 'jsonb', 'array', 'composite', 'vector']);
const numberKinds = new Set(['int', 'bigint', 'numeric', 'float']);

/** A value of a date and a time that the browser's own input can show without losing digits. */
const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|\+00:00|\+00)?$/;

/** What of a value the input of the browser does not show: its time zone, which is always UTC. */
function zoneOf(value: unknown, { kind, type }: ConsoleColumn): string {
  if (kind !== 'timestamp') return '';
  return (typeof value === 'string' ? /[+Z]/.test(value.slice(10)) : /timestamptz|with time zone/.test(type))
    ? 'Z'
    : '';
}

function controlOf(
  model: ConsoleModel,
  table: ConsoleTable,
  column: ConsoleColumn,
  value: unknown,
  attributes: Readonly<Record<string, string>>,
): Control {
  const { kind, name, nullable, values } = column;
  const text = value === undefined || value === null ? '' : jsonKinds.has(kind) ? JSON.stringify(value) : textOf(value);
  const reference = referenceOf(model, table, name);
  if (reference !== undefined) return referenceInput(model, reference, text, attributes);
  const offered = kind === 'boolean' ? ['true', 'false'] : values?.map(({ label }) => label);
  if (offered !== undefined) {
    const empty = nullable || value === undefined ? [['', '—'] as const] : [];
    const select = choice(name, [...empty, ...offered.map((each) => [each, each] as const)], text, () => undefined);
    for (const [key, each] of Object.entries(attributes)) select.setAttribute(key, each);
    return simple(select);
  }
  if (jsonKinds.has(kind) || (kind === 'text' && (text.length > 60 || text.includes('\n') || column.type === 'text'))) {
    const rows = Math.min(8, Math.max(text.split('\n').length, Math.ceil(text.length / 60)));
    const area = element('textarea', { spellcheck: 'false', ...attributes, rows: String(rows) });
    area.value = text;
    return simple(area);
  }
  const [, day = '', time = ''] = moment.exec(text) ?? [];
  const type = inputType(kind, text, day !== '');
  const input = element('input', {
    type,
    ...(type === 'datetime-local' || type === 'time' ? { step: '0.001' } : {}),
    ...(numberKinds.has(kind) ? { inputmode: kind === 'int' || kind === 'bigint' ? 'numeric' : 'decimal' } : {}),
    spellcheck: 'false',
    ...attributes,
  });
  const most = /^(?:varchar|character varying|char|character)\((\d+)\)$/.exec(column.type)?.[1];
  if (most !== undefined) input.maxLength = Number(most);
  input.value = type === 'datetime-local' && day !== '' ? `${day}T${time}` : text;
  return simple(input);
}

function inputType(kind: string, text: string, isMoment: boolean): string {
  if (kind === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text))) return 'date';
  if (kind === 'time' && (text === '' || /^\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text))) return 'time';
  return kind === 'timestamp' && (text === '' || isMoment) ? 'datetime-local' : 'text';
}

const simple = (field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): Control => ({
  element: field,
  field,
  get: () => field.value,
  set: (text) => {
    field.value = text;
  },
});

function parse(
  { kind, name }: ConsoleColumn,
  text: string,
  zone: string,
): { readonly value: unknown } | { readonly problem: string } {
  if (kind === 'boolean') return { value: text === 'true' };
  if (numberKinds.has(kind)) {
    if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return { value: exactNumber(text) };
    return /^(NaN|-?Infinity)$/.test(text) ? { value: text } : { problem: `${name} is a number.` };
  }
  if (jsonKinds.has(kind)) {
    try {
      return { value: parseJson(text) };
    } catch (error) {
      return { problem: `${name} is not JSON: ${error instanceof Error ? error.message : ''}` };
    }
  }
  return {
    value: kind === 'timestamp' && moment.test(text) ? `${text}${/[+Z]/.test(text.slice(10)) ? '' : zone}` : text,
  };
}
