/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="dom.asynciterable" />

import { addressOf } from './base-path.js';

export type Child = Node | string | readonly Child[] | undefined;

type Attributes = Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>>;

/**
 * Makes an element. A function is a listener of the event that its name says; text is text, never
 * markup; a link to a path is one of this server.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, '');
    else if (typeof value === 'string')
      made.setAttribute(name, name === 'href' && value.startsWith('/') ? addressOf(value) : value);
  }
  append(made, children);
  return made;
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) continue;
    if (typeof child === 'string') parent.appendChild(document.createTextNode(child));
    else if (child instanceof Node) parent.appendChild(child);
    else append(parent, child);
  }
}

/** Puts other content into an element. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

/** A choice among texts. */
export function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const select = element(
    'select',
    {
      'aria-label': label,
      change: () => {
        change(select.value);
      },
    },
    options.map(([each, text]) => element('option', { value: each }, text)),
  );
  select.value = value;
  return select;
}

/** A button that does something on this page. */
export const button = (text: string, click: (event: Event) => void, attributes: Attributes = {}): HTMLButtonElement =>
  element('button', { type: 'button', click, ...attributes }, text);

/** Content below a button. Escape, a click elsewhere, and the focus elsewhere close it. */
export function menu(text: string, ...content: readonly Child[]): HTMLElement {
  const summary = element('summary', { class: 'button' }, text);
  const leave = ({ target }: Event): void => {
    if (!(target instanceof Node && box.contains(target))) box.open = false;
  };
  const box = element(
    'details',
    {
      class: 'menu-box',
      toggle: () => {
        for (const event of ['pointerdown', 'focusin'])
          if (box.open) document.addEventListener(event, leave);
          else document.removeEventListener(event, leave);
      },
      keydown: (event) => {
        if (!(event instanceof KeyboardEvent && event.key === 'Escape')) return;
        box.open = false;
        summary.focus();
      },
    },
    summary,
    content,
  );
  return box;
}

/** Copies a text, and says so in a place that screen readers read. */
export function copy(text: string, status: Element, copied = 'Copied.'): void {
  navigator.clipboard.writeText(text).then(
    () => {
      status.textContent = copied;
    },
    () => {
      status.textContent = 'The browser does not let this page copy.';
    },
  );
}

/** Saves a text as a file. */
export const save = (file: string, type: string, content: string): void => {
  saveBlob(file, new Blob([content], { type }));
};

export function saveBlob(file: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element('a', { href: url, download: file }).click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

/** A table with its heads. */
export const grid = (heads: readonly Child[], rows: readonly (readonly Child[])[], label: string): HTMLElement =>
  element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          heads.map((head) => element('th', { scope: 'col' }, head)),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map((row) =>
          element(
            'tr',
            {},
            row.map((cell) => element('td', {}, cell)),
          ),
        ),
      ),
    ),
  );
