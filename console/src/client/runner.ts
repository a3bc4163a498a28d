/// <reference lib="dom" />
import { addressOf } from './base-path.js';
import type { ConsoleModel } from '../console-model.js';
import { curlOf, documentOf, fetchOf, supabaseOf, typedDocumentOf } from './code.js';
import { button, copy, element, fill, menu, type Child } from './dom.js';
import type { Example } from './examples.js';
import { highlightJson } from './highlight.js';
import { remember } from './history.js';
import { latest } from './latest.js';
import { hasPlan, planOf } from './plan.js';
import { graphqlRequest, send, type ApiAnswer, type ApiRequest } from './requests.js';
import { session } from './session.js';
import { listen } from './stream.js';

const rollback = 'tx=rollback';

/** Messages of a subscription that stay on the page. */
const mostMessages = 50;

/** A request that one may change, and send by a click; its answer appears below it. */
export function runner(model: ConsoleModel, example: Example): HTMLElement {
  const { title, protocol, request, document: query, writes } = example;
  const answer = element('div', { class: 'answer', 'aria-live': 'polite' });
  const path = element('input', {
    class: 'path',
    'aria-label': `Path of: ${title}`,
    value: decoded(request.path),
    spellcheck: 'false',
  });
  const body = bodyOf(title, query ?? request.body);
  const tries = element('input', { type: 'checkbox', checked: true });
  const current = (): ApiRequest => {
    if (query !== undefined) return graphqlRequest(body?.value ?? '');
    const { Prefer, ...headers } = request.headers;
    const prefer = [...(Prefer === undefined ? [] : [Prefer]), ...(writes === true && tries.checked ? [rollback] : [])];
    const all = prefer.length === 0 ? headers : { ...headers, Prefer: prefer.join(', ') };
    return { ...request, headers: all, path: encoded(path.value), body: body?.value };
  };
  const begin = latest();
  /** Shows what the last button has asked for, whichever answer comes last. */
  const ask = async (waiting: string, answered: () => Promise<Child>): Promise<void> => {
    const isLast = begin();
    fill(answer, element('p', { class: 'soft' }, waiting));
    const shown = await answered().catch((error: unknown) =>
      element('p', { class: 'bad' }, error instanceof Error ? error.message : String(error)),
    );
    if (isLast()) fill(answer, shown);
  };
  const run = (): Promise<void> =>
    ask('Waiting for the answer…', async () => {
      const sent = current();
      const { name: caller } = session();
      const answered = await send(sent).catch((error: unknown) => {
        throw new Error(`The server does not answer: ${String(error)}`);
      });
      remember({ request: sent, status: answered.status, caller });
      return answerOf(answered);
    });
  const plan = (): Promise<void> => ask('Waiting for the plan…', () => planOf(model, current()));
  const opener = query === undefined || !model.graphiql ? undefined : `/graphql?query=${encodeURIComponent(query)}`;
  const isSubscription = query !== undefined && /^\s*subscription\b/.test(query);
  const copied = element('span', { class: 'soft', role: 'status' });
  return element(
    'section',
    { class: 'runner' },
    element(
      'h3',
      {},
      title,
      ' ',
      element('span', { class: `badge ${protocol}` }, protocol),
      writes === true ? element('span', { class: 'badge write' }, 'writes') : undefined,
    ),
    query === undefined ? element('div', { class: 'line' }, element('code', {}, request.method), path) : undefined,
    query === undefined ? headerLines(request) : undefined,
    body,
    writes === true && query === undefined
      ? element('label', {}, tries, ' Try without keeping: ', element('code', {}, `Prefer: ${rollback}`))
      : undefined,
    element(
      'div',
      { class: 'actions' },
      isSubscription ? subscriber(current, answer) : button('Run', () => void run(), { class: 'primary' }),
      hasPlan(model, request) ? button('SQL and plan', () => void plan()) : undefined,
      copyMenu(model, current, copied),
      opener === undefined ? undefined : element('a', { class: 'button', href: opener }, 'Open in GraphiQL'),
      copied,
    ),
    answer,
  );
}

function bodyOf(title: string, text: string | undefined): HTMLTextAreaElement | undefined {
  if (text === undefined) return undefined;
  const rows = String(Math.min(16, text.split('\n').length));
  return element('textarea', { 'aria-label': `Body of: ${title}`, rows, spellcheck: 'false' }, text);
}

/** The request as code, in the forms that the server has an answer for. */
function copyMenu(model: ConsoleModel, current: () => ApiRequest, copied: Element): HTMLElement {
  const copyAs = (name: string, code: (request: ApiRequest) => string | undefined): Child =>
    code(current()) === undefined
      ? undefined
      : button(name, () => {
          copy(code(current()) ?? '', copied, `Copied as ${name}.`);
        });
  const sender = (): Parameters<typeof curlOf>[1] => ({ origin: location.origin + addressOf(''), session: session() });
  return menu(
    'Copy as…',
    element(
      'div',
      { class: 'actions' },
      copyAs('curl', (request) => curlOf(request, sender())),
      copyAs('fetch', (request) => fetchOf(request, sender())),
      copyAs('supabase-js', (request) => supabaseOf(model, request, sender())),
      copyAs('typed document', (request) => {
        const document = documentOf(request);
        return document === undefined ? undefined : typedDocumentOf(document);
      }),
    ),
  );
}

/** Listens to a subscription until it is stopped, or the page is left. */
function subscriber(current: () => ApiRequest, place: Element): HTMLElement {
  let stop: AbortController | undefined;
  const toggle = button(
    'Listen',
    () => {
      if (stop !== undefined) {
        stop.abort();
        return;
      }
      const controller = (stop = new AbortController());
      const list = element('ol', { class: 'messages', 'aria-label': 'Messages' });
      const status = element(
        'p',
        { class: 'soft' },
        `Listening as ${session().name}. Change a row, and its message appears here.`,
      );
      fill(place, status, list);
      toggle.textContent = 'Stop';
      window.addEventListener(
        'hashchange',
        () => {
          controller.abort();
        },
        { once: true },
      );
      listen(current(), controller.signal, (text) => {
        list.prepend(element('li', {}, element('pre', {}, highlightJson(text))));
        while (list.children.length > mostMessages) list.lastElementChild?.remove();
      })
        .then(() => 'The server has ended the subscription.')
        .catch((error: unknown) =>
          controller.signal.aborted ? 'Stopped.' : error instanceof Error ? error.message : String(error),
        )
        .then((text) => {
          stop = undefined;
          toggle.textContent = 'Listen';
          status.textContent = text;
        })
        .catch(() => undefined);
    },
    { class: 'primary' },
  );
  return toggle;
}

function headerLines({ headers }: ApiRequest): HTMLElement | undefined {
  const lines = Object.entries(headers).filter(([name]) => name !== 'Content-Type');
  if (lines.length === 0) return undefined;
  return element(
    'p',
    { class: 'headers' },
    lines.map(([name, value]) => element('code', {}, `${name}: ${value}`)),
  );
}

function answerOf({ status, milliseconds, json, text, headers }: ApiAnswer): Child {
  const size = new TextEncoder().encode(text).length;
  const shown = size < 10_000 ? `${String(size)} bytes` : `${(size / 1_000).toFixed(0)} kB`;
  return [
    element(
      'p',
      {},
      element('span', { class: status < 400 ? 'good' : 'bad' }, String(status)),
      element('span', { class: 'soft' }, ` in ${milliseconds.toFixed(0)} ms, ${shown}`),
    ),
    element(
      'details',
      {},
      element('summary', {}, `${String(headers.length)} headers`),
      element(
        'ul',
        { class: 'headers' },
        headers.map(([name, value]) => element('li', {}, element('code', {}, `${name}: ${value}`))),
      ),
    ),
    element(
      'pre',
      { tabindex: '0', role: 'region', 'aria-label': 'Answer' },
      json === undefined ? text : highlightJson(text),
    ),
  ];
}

/** A path as one reads it, where it can be told from that what was meant. */
const decoded = (path: string): string => {
  const readable = decodeURI(path);
  return encoded(readable) === path ? readable : path;
};

const encoded = (path: string): string => encodeURI(path).replace(/%25(?=[0-9A-F]{2})/gi, '%');
