import { codes, ServerError } from '../../../errors.js';
import type { Settings } from '../../../settings/settings.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import { poolerHint } from '../failures/outage.js';
import { sessionSettings } from './session-settings.js';

const question: BoundStatement = {
  text: 'select lower(name), lower(setting) from pg_catalog.pg_settings where lower(name) = any($1::text[])',
  values: [],
};

/**
 * Checks that a session has the settings of its connection string. Some proxies ignore them; then
 * reads could write, would have no time limit, and would run in another time zone.
 * @throws ServerError `misconfigured`
 */
export async function checkSession(
  settings: Settings,
  read: (statements: readonly BoundStatement[]) => Promise<readonly RawRow[]>,
): Promise<void> {
  const wanted = sessionSettings(settings);
  const names = wanted.map(([name]) => name);
  const found = new Map(
    (await read([{ ...question, values: [`{${names.join()}}`] }])).map(([name, value]) => [name, value ?? '']),
  );
  const ignored = wanted.filter(([name, value]) => !isSet(value ?? '', found.get(name)));
  if (ignored.length > 0) throw optionsIgnored(ignored.map(([name]) => name));
}

/** The value of `DateStyle` also has the order of day and month. */
const isSet = (wanted: string, found: string | undefined): boolean =>
  found === wanted.toLowerCase() || found?.startsWith(`${wanted.toLowerCase()},`) === true;

const optionsIgnored = (names: readonly string[]): ServerError =>
  new ServerError(
    500,
    codes.misconfigured,
    `The database did not apply these startup parameters of a connection: ${names.join(', ')}.`,
    {
      hint: [
        'A pooler in between ignores the startup parameter `options` (PgBouncer: ignore_startup_parameters).',
        poolerHint,
      ].join('\n'),
    },
  );
