import type { Model } from '../model/model.js';
import { Refusal } from './refusal.js';

/**
 * Refuses a catalogue without tables: it is the wrong database, or a database that is just being
 * created. A catalogue that has lost all tables of one schema is refused once, and accepted if a
 * second check finds the same.
 * @throws Refusal
 */
export function checkShrinking(
  served: readonly { readonly schema: string }[],
  { tables }: Pick<Model, 'tables'>,
  confirmed: boolean,
): void {
  if (tables.length === 0) {
    throw new Refusal(
      'The database no longer has tables.',
      'Check that it is the right database, and that its migration has ended. The server looks again by itself; PostgreSQL can announce it: NOTIFY tablewright.',
    );
  }
  const left = new Set(tables.map(({ descriptor }) => descriptor.schema));
  const gone = [...new Set(served.map(({ schema }) => schema))].filter((schema) => !left.has(schema));
  if (gone.length === 0 || confirmed) return;
  throw new Refusal(
    `All tables of the schema ${gone.join(', ')} are gone.`,
    'The server looks again in a minute, and accepts the same result then. PostgreSQL can announce it: NOTIFY tablewright.',
  );
}
