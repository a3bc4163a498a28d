/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { button, element, save } from './dom.js';
import { messageOf, send } from './requests.js';
import { queryOf, readRequest, type Shown } from './row-state.js';

/** An export ends here, and says so: pages hold at most `app.max-rows` rows. */
const mostRows = 10_000;

const forms = {
  CSV: {
    type: 'text/csv',
    extension: 'csv',
    join: (pages: readonly string[]): string => pages.map((page, at) => (at === 0 ? page : withoutHead(page))).join(''),
  },
  JSON: {
    type: 'application/json',
    extension: 'json',
    join: (pages: readonly string[]): string =>
      `[${pages
        .map((page) => page.trim().slice(1, -1).trim())
        .filter((page) => page !== '')
        .join(',\n')}]\n`,
  },
} as const;

/** A column's name may contain a line break, and is in quotes then. */
const withoutHead = (csv: string): string => csv.replace(/^(?:"(?:[^"]|"")*"|[^\n"])*\n/, '');

const endsInLine = (page: string): string => (page === '' || page.endsWith('\n') ? page : `${page}\n`);

/** Buttons that save the rows that the filters leave, as the server writes them. */
export function exportButtons(model: ConsoleModel, table: ConsoleTable, shown: Shown): HTMLElement {
  const status = element('span', { class: 'soft', role: 'status' });
  const run = async (form: keyof typeof forms): Promise<void> => {
    const { type, extension, join } = forms[form];
    const pages: string[] = [];
    let rows = 0;
    for (let isLast = false; !isLast && rows < mostRows;) {
      status.textContent = `${String(rows)} rows…`;
      const query = queryOf(table, { ...shown, offset: rows }, model.maxRows);
      const answer = await send(readRequest(model, table, query, { Accept: type, Prefer: 'count=planned' }));
      if (answer.status >= 400) {
        status.textContent = messageOf(answer);
        return;
      }
      const end = Number(/-(\d+)\//.exec(answer.range ?? '')?.[1] ?? NaN);
      const count = Number.isNaN(end) ? 0 : end + 1 - rows;
      isLast = count < model.maxRows;
      rows += count;
      pages.push(form === 'CSV' ? endsInLine(answer.text) : listIn(answer.text));
    }
    save(`${table.name}.${extension}`, type, join(pages));
    status.textContent = `${String(rows)} rows saved${rows >= mostRows ? ': an export ends there' : ''}.`;
  };
  const start = (form: keyof typeof forms) => () => {
    run(form).catch((error: unknown) => {
      status.textContent = String(error);
    });
  };
  return element(
    'span',
    { class: 'actions' },
    button('Export CSV', start('CSV')),
    button('Export JSON', start('JSON')),
    status,
  );
}

/** The list in an answer, as text: its numbers keep their digits. */
function listIn(text: string): string {
  const from = text.indexOf('[');
  const to = text.lastIndexOf(']');
  return from < 0 ? '[]' : text.slice(from, to + 1);
}
