import type { Model } from '../model/model.js';
import { Refusal } from './refusal.js';

/**
 * Refuses a change that removes a table with hooks: if it was renamed, its rows would be written
 * without the hooks.
 * @param hooked the tables that have hooks, as `schema.name`
 * @throws Refusal
 */
export function checkHooks(
  hooked: readonly string[],
  served: readonly { readonly schema: string; readonly name: string }[],
  { tables }: Pick<Model, 'tables'>,
): void {
  const before = new Set(served.map(({ schema, name }) => `${schema}.${name}`));
  const after = new Set(tables.map(({ descriptor: { schema, name } }) => `${schema}.${name}`));
  const gone = hooked.find((name) => before.has(name) && !after.has(name));
  if (gone === undefined) return;
  throw new Refusal(
    `The hooks['${gone}'] of your code need the table ${gone}, which is gone.`,
    'The old API stays in use. Change the code, generate, build and start the server again.',
  );
}
