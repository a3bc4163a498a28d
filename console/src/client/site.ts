/// <reference lib="dom" />
import { addressOf } from './base-path.js';
import type { ConsoleModel } from '../console-model.js';
import { siteHeader } from './header.js';
import { keptHeaders, restoreSession, watchSession } from './session.js';

/**
 * Reads the model of the console as the caller of the tab. Where roles have models of their own,
 * another caller loads the page again.
 * @throws Error with the server's message if the server has no console
 */
export async function openModel(): Promise<ConsoleModel> {
  const response = await fetch(addressOf('/console/model.json'), { headers: keptHeaders() });
  const model = (await response.json()) as ConsoleModel | { readonly message: string };
  if ('message' in model) throw new Error(model.message);
  restoreSession(model.guide);
  if (model.byRole === true)
    watchSession(() => {
      location.reload();
    });
  return model;
}

/**
 * Shows the header of the console in a page with own content, such as GraphiQL or a page of yours.
 * The tab keeps the token of the chosen caller in `sessionStorage`, as `tablewright.token`.
 * @param current the name of the page, as its link in the header
 * @param changed called when another caller is chosen
 */
export async function showHeader(place: Element, current: string, changed?: () => void): Promise<ConsoleModel> {
  const model = await openModel();
  place.replaceChildren(siteHeader(model, current));
  if (changed !== undefined) watchSession(changed);
  return model;
}
