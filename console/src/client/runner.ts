/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { element, fill } from './dom.js';
import type { Example } from './examples.js';
import { curlOf, graphqlRequest, send, type ApiAnswer, type ApiRequest } from './requests.js';
import { session } from './session.js';

/** A request that one may change, and send by a click; its answer appears below it. */
export function runner(
  model: ConsoleModel,
  { title, protocol, request, document: query, writes }: Example,
): HTMLElement {
  const answer = element('div', { class: 'answer', 'aria-live': 'polite' });
  const path = element('input', {
    class: 'path',
    'aria-label': `Path of: ${title}`,
    value: decoded(request.path),
    spellcheck: 'false',
  });
  const editable = query ?? request.body;
  const body =
    editable === undefined
      ? undefined
      : element(
          'textarea',
          {
            'aria-label': `Body of: ${title}`,
            rows: String(Math.min(16, editable.split('\n').length)),
            spellcheck: 'false',
          },
          editable,
        );
  const current = (): ApiRequest =>
    query === undefined
      ? { ...request, path: encoded(path.value), body: body?.value }
      : graphqlRequest(body?.value ?? '');
  const run = async (): Promise<void> => {
    fill(answer, element('p', { class: 'soft' }, 'Waiting for the answer…'));
    try {
      showAnswer(answer, await send(current()));
    } catch (error) {
      fill(answer, element('p', { class: 'bad' }, `The server does not answer: ${String(error)}`));
    }
  };
  const copied = element('span', { class: 'soft', role: 'status' });
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(curlOf(current(), session()));
    copied.textContent = 'Copied.';
  };
  const opener = query === undefined || !model.graphiql ? undefined : `/graphql?query=${encodeURIComponent(query)}`;
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
    element(
      'div',
      { class: 'actions' },
      element('button', { type: 'button', class: 'primary', click: () => void run() }, 'Run'),
      element(
        'button',
        {
          type: 'button',
          click: () => {
            copy().catch(() => {
              copied.textContent = 'The browser does not let this page copy.';
            });
          },
        },
        'Copy as curl',
      ),
      opener === undefined ? undefined : element('a', { class: 'button', href: opener }, 'Open in GraphiQL'),
      copied,
    ),
    answer,
  );
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

export function showAnswer(place: Element, { status, milliseconds, json, text }: ApiAnswer): void {
  fill(
    place,
    element(
      'p',
      {},
      element('span', { class: status < 400 ? 'good' : 'bad' }, String(status)),
      element('span', { class: 'soft' }, ` in ${milliseconds.toFixed(0)} ms`),
    ),
    element(
      'pre',
      { tabindex: '0', role: 'region', 'aria-label': 'Answer' },
      json === undefined ? text : JSON.stringify(json, undefined, 2),
    ),
  );
}

/** A path as one reads it, where it can be told from that what was meant. */
const decoded = (path: string): string => {
  const readable = decodeURI(path);
  return encoded(readable) === path ? readable : path;
};

const encoded = (path: string): string => encodeURI(path).replace(/%25(?=[0-9A-F]{2})/gi, '%');
