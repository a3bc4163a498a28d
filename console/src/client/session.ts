/// <reference lib="dom" />
import type { ConsoleGuide } from '../console-model.js';

/** Whom requests are sent as. It is kept for the tab: a token is gone when the tab is. */
export interface Session {
  readonly name: string;
  readonly token: string | undefined;
}

export const anonymous: Session = { name: 'Anonymous', token: undefined };

/** GraphiQL reads the token there, too. */
const storageKey = 'tablewright.token';

let current: Session = anonymous;
const watchers = new Set<() => void>();

export const session = (): Session => current;

/** Calls back when somebody else is chosen. */
export function watchSession(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

export function chooseToken(token: string | undefined, { users }: ConsoleGuide): void {
  current =
    token === undefined
      ? anonymous
      : { token, name: users.find((user) => user.token === token)?.name ?? claimed(token) };
  if (token === undefined) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, token);
  for (const changed of watchers) changed();
}

/** Chooses the caller of the tab again. With an expired token every request would be 401. */
export function restoreSession(guide: ConsoleGuide): void {
  const token = sessionStorage.getItem(storageKey) ?? undefined;
  const { exp } = token === undefined ? {} : claimsOf(token);
  chooseToken(typeof exp === 'number' && exp * 1_000 < Date.now() ? undefined : token, guide);
}

/** The headers of whoever was chosen last: each role may have a description of its own. */
export function keptHeaders(): Readonly<Record<string, string>> {
  const token = sessionStorage.getItem(storageKey);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** What a token says of its bearer. It is shown, and nothing is decided by it. */
function claimed(token: string): string {
  const { sub, userId, email } = claimsOf(token);
  const found = [sub, userId, email].find((each) => typeof each === 'string' || typeof each === 'number');
  return found === undefined ? 'Pasted token' : `Token of ${String(found)}`;
}

interface Claims {
  readonly sub?: unknown;
  readonly userId?: unknown;
  readonly email?: unknown;
  readonly exp?: unknown;
}

function claimsOf(token: string): Claims {
  try {
    const text = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'));
    return (JSON.parse(text) ?? {}) as Claims;
  } catch {
    return {};
  }
}
