/// <reference lib="dom" />
import type { Policy } from '@tablewright/runtime/console';
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { element, type Child } from './dom.js';
import { titleOf } from './links.js';
import { memberOf, messageOf, type ApiAnswer } from './requests.js';
import { session } from './session.js';

export type Write = ConsoleTable['writes'][number];

const commands = {
  all: 'Everything',
  select: 'Reading',
  insert: 'Inserting',
  update: 'Updating',
  delete: 'Deleting',
} as const;

export const policyItem = ({ name, command, permissive, roles, using, check }: Policy): HTMLElement =>
  element(
    'li',
    {},
    element('strong', {}, commands[command]),
    ` for ${roles.length === 0 || roles.includes('public') ? 'everybody' : roles.join(', ')}`,
    permissive ? '' : ' (restrictive)',
    using === null ? undefined : [', rows where ', element('code', {}, using)],
    check === null ? undefined : [', if the new row has ', element('code', {}, check)],
    element('span', { class: 'soft' }, ` ${name}`),
  );

/** What the server refused to whom, in this tab: writes of a whole table. */
const refused = new Map<string, () => Child>();

const keyOf = ({ field }: ConsoleTable, write: Write): string => JSON.stringify([field, write, session().token]);

/**
 * Why the chosen caller cannot write the table at all: the API does not offer it, no policy allows
 * it, or the server has refused it. Undefined where a write may succeed.
 */
export function refusalOf(model: ConsoleModel, table: ConsoleTable, write: Write): Child | undefined {
  if (!table.writes.includes(write))
    return `The API has no ${write} for ${titleOf(model, table)}${table.kind === 'table' ? '' : ': the database cannot write to this view'}.`;
  if (write !== 'insert' && table.primaryKey.length === 0)
    return `${titleOf(model, table)} has no primary key, so that a row cannot be addressed.`;
  const isHeld =
    table.facts?.rowSecurity !== undefined && table.facts.rowSecurity !== 'off' && roleOf(model) !== undefined;
  if (isHeld && policiesFor(table, write).length === 0)
    return `Row level security is on, and no policy allows anybody to ${write} rows of ${titleOf(model, table)}.`;
  return refused.get(keyOf(table, write))?.();
}

/** The role that the database sees, where settings decide it and the token does not. */
const roleOf = ({ roles }: ConsoleModel): string | undefined =>
  session().token === undefined ? roles?.anonymous : roles?.token;

const policiesFor = ({ facts }: ConsoleTable, write: Write): readonly Policy[] =>
  (facts?.policies ?? []).filter(({ command }) => command === write || command === 'all');

/** Why the server refused a write: the policies that decide about it, or the missing grant. */
export function explainRefusal(model: ConsoleModel, table: ConsoleTable, write: Write, answer: ApiAnswer): Child {
  const { name } = session();
  const policies = policiesFor(table, write);
  const hint = memberOf(answer.json, 'hint');
  const isPolicy = answer.status < 400 || (typeof hint === 'string' && hint.includes('row level security'));
  if (isPolicy)
    return [
      element(
        'p',
        {},
        element('strong', {}, `${name} may not ${write} this row. `),
        answer.status < 400 ? 'The server found no row to write.' : messageOf(answer),
      ),
      policies.length === 0
        ? element('p', {}, 'No policy of the table allows it, or the row is gone.')
        : [
            element(
              'p',
              {},
              `A caller may ${write} the rows that one of these policies of ${titleOf(model, table)} allows:`,
            ),
            element('ul', { class: 'policies' }, policies.map(policyItem)),
          ],
    ];
  const role = roleOf(model);
  const text = (): Child => [
    element(
      'p',
      {},
      element('strong', {}, `${name} may not ${write} rows of ${titleOf(model, table)}. `),
      messageOf(answer),
    ),
    element(
      'p',
      {},
      role === undefined
        ? `The role of the request has no grant to ${write}.`
        : [
            `The role ${role} needs a grant: `,
            element('code', {}, `GRANT ${write.toUpperCase()} ON ${table.schema}.${table.name} TO ${role}`),
          ],
    ),
  ];
  refused.set(keyOf(table, write), text);
  return text();
}
