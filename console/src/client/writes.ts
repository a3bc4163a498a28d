/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { explainRefusal, type Write } from './access.js';
import { element, type Child } from './dom.js';
import { memberOf, messageOf, restRequest, rowsOf, send, type ApiAnswer, type Row } from './requests.js';
import { keyQuery } from './row-state.js';

/** What became of a write: the row, or why there is none, and what is wrong with which column. */
export type Outcome =
  | { readonly row: Row }
  | { readonly problem: Child; readonly columns: ReadonlyMap<string, string>; readonly refused: boolean };

const methods = { insert: 'POST', update: 'PATCH', delete: 'DELETE' } as const;

/** Writes one row as the chosen caller. A key that matches several rows writes none. */
export async function writeRow(
  model: ConsoleModel,
  table: ConsoleTable,
  write: Write,
  row: Row,
  body: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const query = write === 'insert' ? '' : keyQuery(table, row);
  if (query === undefined) return failure('The row has no key.');
  const path = `${encodeURIComponent(table.name)}${query === '' ? '' : `?${query}`}`;
  const answer = await send(
    restRequest(model, table.schema, path, {
      method: methods[write],
      headers: { Prefer: write === 'insert' ? 'return=representation' : 'return=representation, max-affected=1' },
      ...(write === 'delete' ? {} : { body: JSON.stringify(body) }),
    }),
  ).catch((error: unknown) => `The server does not answer: ${String(error)}`);
  if (typeof answer === 'string') return failure(answer);
  const [written] = answer.status < 300 ? (rowsOf(answer) ?? []) : [];
  if (written !== undefined) return { row: written };
  if (answer.status < 300 || answer.status === 403)
    return { problem: explainRefusal(model, table, write, answer), columns: new Map(), refused: true };
  return { problem: problemOf(answer), columns: columnsOf(table, answer), refused: false };
}

const failure = (problem: string): Outcome => ({ problem, columns: new Map(), refused: false });

function problemOf(answer: ApiAnswer): Child {
  const more = ['details', 'hint']
    .map((name) => memberOf(answer.json, name))
    .filter((each) => typeof each === 'string');
  return element('p', {}, element('strong', {}, messageOf(answer)), ` ${more.join(' ')}`);
}

/**
/**
 * The columns that an error is about. It names them, or a constraint, whose columns the model has:
 * those of keys, and the words of a check.
 */
export function columnsOf(table: ConsoleTable, answer: ApiAnswer): ReadonlyMap<string, string> {
  const message = messageOf(answer);
  const details = memberOf(answer.json, 'details');
  const text = `${message} ${typeof details === 'string' ? details : ''}`;
  const constraint = /constraint "([^"]+)"/.exec(text)?.[1];
  const check = table.facts?.checks.find(({ name }) => name === constraint);
  const known = [
    ...(table.relations.find((each) => each.constraint === constraint && each.direction === 'forward')?.columns ?? []),
    ...(table.uniques.find(({ name }) => name === constraint)?.columns ?? []),
  ];
  const columns = table.columns.filter(
    ({ name }) =>
      text.includes(`"${name}"`) || known.includes(name) || (check !== undefined && hasWord(check.definition, name)),
  );
  const said = check === undefined ? message : `${message} ${check.definition}`;
  return new Map(columns.map(({ name }) => [name, said]));
}

const hasWord = (text: string, word: string): boolean => text.split(/[^\p{L}\p{N}_]+/u).includes(word);
