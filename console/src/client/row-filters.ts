/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleTable } from '../console-model.js';
import { choice, element, fill } from './dom.js';
import { columnOf, linkTo, listOf, type Filter, type Shown } from './row-state.js';

const operators: readonly (readonly [string, string])[] = [
  ['eq', '='],
  ['neq', '≠'],
  ['gt', '>'],
  ['gte', '≥'],
  ['lt', '<'],
  ['lte', '≤'],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['in', 'in (…)'],
  ['is', 'is null'],
  ['not.is', 'is not null'],
];

/** Of a column with few values, which are chosen from a list. */
const listOperators: typeof operators = [
  ['in', 'is one of'],
  ['not.in', 'is none of'],
  ['is', 'is null'],
  ['not.is', 'is not null'],
];

const takesNoValue = (operator: string): boolean => operator === 'is' || operator === 'not.is';

/** The filters in force, each with a link that removes it, and a form for another one. */
export function filterBar(table: ConsoleTable, shown: Shown): HTMLElement {
  const place = element('span', { class: 'filter' });
  let filter: () => Filter = () => ({ column: '', operator: 'eq', value: '' });
  const show = (column: ConsoleColumn | undefined): void => {
    if (column !== undefined) filter = fieldsOf(column, place);
  };
  show(table.columns[0]);
  const add = (event: Event): void => {
    event.preventDefault();
    location.hash = linkTo(table, { ...shown, offset: 0, filters: [...shown.filters, filter()] });
  };
  return element(
    'form',
    { class: 'filters', submit: add },
    choice(
      'Column',
      table.columns.map(({ name }) => [name, name] as const),
      table.columns[0]?.name ?? '',
      (name) => {
        show(columnOf(table, name));
      },
    ),
    place,
    element('button', { type: 'submit' }, 'Filter'),
    shown.filters.map((each) => chip(table, shown, each)),
  );
}

const isListed = (column: ConsoleColumn | undefined): boolean =>
  column?.kind === 'boolean' || column?.values !== undefined;

/** The operator and the value, as the column's type asks for them. */
function fieldsOf(column: ConsoleColumn, place: Element): () => Filter {
  const { name, kind, values } = column;
  const labels = kind === 'boolean' ? ['true', 'false'] : values?.map(({ label }) => label);
  const offered = labels === undefined ? operators : listOperators;
  let operator = offered[0]?.[0] ?? 'eq';
  const input = element('input', {
    'aria-label': 'Value',
    placeholder: 'value',
    spellcheck: 'false',
    type: kind === 'date' ? 'date' : 'text',
  });
  const boxes = (labels ?? []).map((label) => element('input', { type: 'checkbox', value: label }));
  const value =
    labels === undefined
      ? input
      : element(
          'fieldset',
          {},
          element('legend', {}, 'Values'),
          boxes.map((box) => element('label', {}, box, ` ${box.value}`)),
        );
  fill(
    place,
    choice('Operator', offered, operator, (chosen) => {
      operator = chosen;
      value.hidden = takesNoValue(operator);
    }),
    value,
  );
  return () => {
    if (takesNoValue(operator)) return { column: name, operator, value: '' };
    if (labels === undefined) return { column: name, operator, value: input.value };
    return { column: name, operator, value: listOf(boxes.filter(({ checked }) => checked).map((box) => box.value)) };
  };
}

function chip(table: ConsoleTable, shown: Shown, filter: Filter): HTMLElement {
  const { column, operator, value } = filter;
  const known = isListed(columnOf(table, column)) ? listOperators : operators;
  const words = known.find(([each]) => each === operator)?.[1] ?? operator;
  const text = operator.endsWith('in') ? value.replace(/"((?:[^"\\]|\\.)*)"/g, '$1').replaceAll(',', ', ') : value;
  return element(
    'a',
    {
      class: 'chip',
      href: linkTo(table, { ...shown, offset: 0, filters: shown.filters.filter((each) => each !== filter) }),
      'aria-label': `Remove the filter ${column} ${words} ${text}`,
    },
    `${column} ${words} ${text} ✕`,
  );
}
