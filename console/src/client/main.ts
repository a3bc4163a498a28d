/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { diagramPage } from './diagram-page.js';
import { element, fill } from './dom.js';
import { siteHeader } from './header.js';
import { functionPage, homePage } from './home.js';
import { tableOf, titleOf, type TableView } from './links.js';
import { sidebar } from './sidebar.js';
import { openModel } from './site.js';
import { tablePage } from './table-page.js';

const root = document.getElementById('console');
if (root !== null)
  start(root).catch((error: unknown) => {
    fill(root, element('p', { class: 'loading bad', role: 'alert' }, `The console did not start: ${String(error)}`));
  });

async function start(place: HTMLElement): Promise<void> {
  const model = await openModel();
  const side = sidebar(model);
  const main = element('main', { id: 'main', tabindex: '-1' });
  fill(place, header(model), element('div', { class: 'columns' }, side.element, main));
  const show = (): void => {
    place.classList.remove('open');
    const { title, content } = route(model, location.hash);
    document.title = `${title} · Tablewright`;
    fill(main, content);
    side.mark(location.hash);
    window.scrollTo(0, 0);
  };
  window.addEventListener('hashchange', () => {
    const before = document.activeElement;
    show();
    // What had the focus may be gone: a reader of the screen goes on at the new page.
    if (before?.isConnected !== true) main.focus({ preventScroll: true });
  });
  window.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    event.preventDefault();
    place.classList.add('open');
    side.focus();
  });
  show();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

function header(model: ConsoleModel): HTMLElement {
  const toggle = element(
    'button',
    {
      type: 'button',
      class: 'menu',
      'aria-controls': 'side',
      click: () => document.getElementById('console')?.classList.toggle('open'),
    },
    'Tables',
  );
  const skip = element(
    'a',
    {
      class: 'skip',
      href: '#main',
      click: (event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      },
    },
    'Skip to the page',
  );
  return siteHeader(model, '', [skip, toggle]);
}

interface Page {
  readonly title: string;
  readonly content: HTMLElement;
}

/** What an address shows. */
function route(model: ConsoleModel, hash: string): Page {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [room, name = '', view] = path.split('/').map(decodeURIComponent);
  if (room === 'diagram')
    return {
      title: 'Diagram',
      content: diagramPage(model, name, new URLSearchParams(query).get('group') ?? undefined),
    };
  const table = room === 'table' ? tableOf(model, name) : undefined;
  if (table !== undefined) {
    const shown: TableView = view === 'rows' || view === 'requests' ? view : 'structure';
    return { title: titleOf(model, table), content: tablePage(model, table, shown, query) };
  }
  const called = room === 'function' ? model.functions.find(({ field }) => field === name) : undefined;
  if (called !== undefined) return { title: titleOf(model, called), content: functionPage(model, called) };
  return { title: 'Home', content: homePage(model) };
}
