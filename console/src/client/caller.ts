/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { element, fill } from './dom.js';
import { chooseToken, anonymous, session, watchSession } from './session.js';

const paste = 'paste';

/** The caller of requests: anonymous, a user of the guide, or the bearer of a pasted token. */
export function callerChoice({ guide, tokens }: ConsoleModel): HTMLElement | undefined {
  if (!tokens) return undefined;
  const dialog = tokenDialog((token) => {
    chooseToken(token, guide);
  });
  const select = element('select', {
    id: 'caller',
    change: () => {
      if (select.value === paste) dialog.showModal();
      else chooseToken(select.value === '' ? undefined : select.value, guide);
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
      element('option', { value: paste }, 'Paste a token…'),
    );
    select.value = token ?? '';
  };
  watchSession(show);
  show();
  return element('div', { class: 'caller' }, element('label', { for: 'caller' }, 'Act as'), select, dialog);
}

function tokenDialog(chosen: (token: string | undefined) => void): HTMLDialogElement {
  const area = element('textarea', { rows: '6', 'aria-label': 'Token', placeholder: 'eyJ…', spellcheck: 'false' });
  const dialog = element('dialog', { 'aria-labelledby': 'token-title' });
  const use = (event: Event): void => {
    event.preventDefault();
    const token = area.value.trim().replace(/^Bearer\s+/i, '');
    chosen(token === '' ? undefined : token);
    area.value = '';
    dialog.close();
  };
  fill(
    dialog,
    element(
      'form',
      { submit: use },
      element('h2', { id: 'token-title' }, 'Paste a token'),
      element('p', {}, 'Requests carry it in the header Authorization. It stays in this tab.'),
      area,
      element(
        'div',
        { class: 'actions' },
        element('button', { type: 'submit', class: 'primary' }, 'Use it'),
        element(
          'button',
          {
            type: 'button',
            click: () => {
              dialog.close();
            },
          },
          'Cancel',
        ),
      ),
    ),
  );
  return dialog;
}
