/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { button, element, fill, type Child } from './dom.js';
import { memberOf, messageOf, send } from './requests.js';
import { chooseToken, anonymous, session, watchSession } from './session.js';

const paste = 'paste';
const typed = 'typed';

/**
 * The caller of requests: anonymous, a user of the guide, the bearer of a pasted token, or, in
 * development, one with claims that somebody types.
 */
export function callerChoice({ guide, tokens, claims }: ConsoleModel): HTMLElement | undefined {
  if (!tokens) return undefined;
  const choose = (token: string | undefined): void => {
    chooseToken(token, guide);
  };
  const dialogs: Readonly<Record<string, HTMLDialogElement>> = {
    [paste]: tokenDialog(choose),
    ...(claims === undefined ? {} : { [typed]: claimsDialog(claims, choose) }),
  };
  const select = element('select', {
    id: 'caller',
    change: () => {
      const dialog = dialogs[select.value];
      if (dialog === undefined) choose(select.value === '' ? undefined : select.value);
      else dialog.showModal();
      show();
    },
  });
  const show = (): void => {
    const { token, name } = session();
    const known = guide.users.some((user) => user.token === token);
    fill(
      select,
      element('option', { value: '' }, anonymous.name),
      guide.users.map((user) => element('option', { value: user.token }, user.name)),
      token === undefined || known ? undefined : element('option', { value: token }, name),
      claims === undefined ? undefined : element('option', { value: typed }, 'Type claims…'),
      element('option', { value: paste }, 'Paste a token…'),
    );
    select.value = token ?? '';
  };
  watchSession(show);
  show();
  return element(
    'div',
    { class: 'caller' },
    element('label', { for: 'caller' }, 'Act as'),
    select,
    Object.values(dialogs),
  );
}

function tokenDialog(chosen: (token: string | undefined) => void): HTMLDialogElement {
  const area = element('textarea', { rows: '6', 'aria-label': 'Token', placeholder: 'eyJ…', spellcheck: 'false' });
  return callerDialog(
    'Paste a token',
    'Requests carry it in the header Authorization. It stays in this tab.',
    area,
    () => {
      const token = area.value.trim().replace(/^Bearer\s+/i, '');
      area.value = '';
      chosen(token === '' ? undefined : token);
      return Promise.resolve();
    },
  );
}

/** Claims that the server knows, each in a field, and others. The development server signs them. */
function claimsDialog(names: readonly string[], chosen: (token: string | undefined) => void): HTMLDialogElement {
  const fields = names.map((name) => [name, element('input', { autocomplete: 'off', spellcheck: 'false' })] as const);
  const area = element('textarea', { rows: '3', placeholder: '{"email": "ada@example.com"}', spellcheck: 'false' });
  return callerDialog(
    'Type claims',
    'The server signs a token of these claims with its key for development. Policies and rules read them.',
    [
      fields.map(([name, input]) => element('label', { class: 'field' }, name, input)),
      element('label', { class: 'field' }, 'Other claims, as JSON', area),
    ],
    async () => {
      const others = area.value.trim() === '' ? '{}' : area.value.trim();
      JSON.parse(others);
      const known = fields.filter(([, { value }]) => value !== '').map(([name, { value }]) => [name, value] as const);
      const members = [
        ...known.map((each) => each.map((text) => JSON.stringify(text)).join(':')),
        others.slice(1, -1).trim(),
      ].filter((each) => each !== '');
      const path = `/console/token?claims=${encodeURIComponent(`{${members.join(',')}}`)}`;
      const answer = await send({ method: 'GET', path, headers: {} }, anonymous);
      const token = memberOf(answer.json, 'token');
      if (typeof token !== 'string') throw new Error(messageOf(answer));
      chosen(token);
    },
  );
}

let dialogs = 0;

/** A form about the caller. It closes unless `use` fails. */
function callerDialog(title: string, text: string, fields: Child, use: () => Promise<void>): HTMLDialogElement {
  const id = `caller-title-${String((dialogs += 1))}`;
  const dialog = element('dialog', { 'aria-labelledby': id });
  const problem = element('p', { class: 'bad', role: 'alert' });
  const submit = (event: Event): void => {
    event.preventDefault();
    fill(problem);
    // A throw of JSON.parse becomes a rejection, too.
    (async () => use())().then(
      () => {
        dialog.close();
      },
      (error: unknown) => {
        fill(problem, error instanceof Error ? error.message : String(error));
      },
    );
  };
  const cancel = (): void => {
    dialog.close();
  };
  fill(
    dialog,
    element(
      'form',
      { submit },
      element('h2', { id }, title),
      element('p', {}, text),
      fields,
      problem,
      element(
        'div',
        { class: 'actions' },
        element('button', { type: 'submit', class: 'primary' }, 'Use it'),
        button('Cancel', cancel),
      ),
    ),
  );
  return dialog;
}
