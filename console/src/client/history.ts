/// <reference lib="dom" />
import type { ApiRequest } from './requests.js';

/** A request that this tab has sent. It has no token: who sends it again is chosen anew. */
export interface Sent {
  readonly request: ApiRequest;
  readonly status: number;
  readonly caller: string;
}

const storageKey = 'tablewright.history';
const mostKept = 30;
/** Longer bodies would soon fill the storage of the tab. */
const maxCharacters = 10_000;

/** What was sent, the last request first. */
export function history(): readonly Sent[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as unknown;
    return Array.isArray(kept) ? (kept as readonly Sent[]) : [];
  } catch {
    return [];
  }
}

export function remember(sent: Sent): void {
  if ((sent.request.body?.length ?? 0) > maxCharacters) return;
  const key = JSON.stringify(sent.request);
  const others = history().filter(({ request }) => JSON.stringify(request) !== key);
  sessionStorage.setItem(storageKey, JSON.stringify([sent, ...others].slice(0, mostKept)));
}
