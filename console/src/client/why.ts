/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable, RowExplanation, TestedPolicy } from '../console-model.js';
import { element, fill, grid, type Child } from './dom.js';
import { latest } from './latest.js';
import { titleOf } from './links.js';
import { messageOf, send } from './requests.js';
import { session } from './session.js';

/** Takes the key of a row, and says what hides it from the caller: a policy, a rule, a grant. */
export function whyMissing(model: ConsoleModel, table: ConsoleTable): HTMLElement | undefined {
  if (!model.explains || table.primaryKey.length === 0) return undefined;
  const fields = table.primaryKey.map((name) => [name, element('input', { required: true })] as const);
  const place = element('div', { 'aria-live': 'polite' });
  const begin = latest();
  const ask = async (): Promise<void> => {
    const isLast = begin();
    const { name } = session();
    const parameters = new URLSearchParams({ table: table.field });
    for (const [, { value }] of fields) parameters.append('key', value);
    const answer = await send({ method: 'GET', path: `/console/why?${parameters.toString()}`, headers: {} });
    if (!isLast()) return;
    if (answer.status === 200) fill(place, explained(model, table, name, answer.json as RowExplanation));
    else fill(place, element('p', { class: 'bad' }, messageOf(answer)));
  };
  return element(
    'section',
    { id: 'why' },
    element('h2', {}, 'Why is a row missing?'),
    element('p', {}, 'The key of a row, and which policy or rule hides the row from the caller at the top.'),
    element(
      'form',
      {
        class: 'actions',
        submit: (event) => {
          event.preventDefault();
          ask().catch((error: unknown) => {
            fill(place, element('p', { class: 'bad' }, String(error)));
          });
        },
      },
      fields.map(([name, input]) => element('label', {}, `${name} `, input)),
      element('button', { type: 'submit' }, 'Explain'),
    ),
    place,
  );
}

function explained(model: ConsoleModel, table: ConsoleTable, caller: string, found: RowExplanation): Child {
  const { policies = [], rule } = found;
  return [
    element('p', { class: found.sees ? 'good' : 'refusal' }, verdict(model, table, caller, found)),
    found.problem === undefined ? undefined : element('p', {}, 'The read itself fails: ', found.problem),
    policies.length === 0 || found.exists === false
      ? undefined
      : grid(
          ['Policy', 'For', 'Rows where', 'This row'],
          policies.map((each) => [
            [
              element('strong', {}, each.name),
              element('div', { class: 'soft' }, each.permissive ? 'permissive' : 'restrictive'),
            ],
            each.roles,
            element('code', {}, each.using),
            result(each, found),
          ]),
          'Policies',
        ),
    rule?.text === undefined || found.exists === false
      ? undefined
      : element('p', {}, 'Rule ', element('code', {}, rule.text), ': ', String(rule.holds ?? 'not known')),
  ];
}

function result({ applies, value, problem }: TestedPolicy, { role = '' }: RowExplanation): Child {
  if (!applies) return element('span', { class: 'soft' }, `not for ${role}`);
  if (value === undefined) return element('span', { class: 'bad' }, problem ?? 'not evaluated');
  return element('strong', { class: value === true ? 'good' : 'bad' }, String(value));
}

/** The first reason that decides. */
function verdict(model: ConsoleModel, table: ConsoleTable, name: string, found: RowExplanation): string {
  const { sees, exists, grants, policies = [], rule, role = '', rowSecurity } = found;
  const title = titleOf(model, table);
  if (sees) return `${name} sees the row.`;
  if (exists === false) return `There is no such row in ${title}.`;
  if (grants?.schema === false)
    return `The role ${role} has no grant: GRANT USAGE ON SCHEMA ${table.schema} TO ${role}`;
  if (grants?.table === false)
    return `The role ${role} has no grant: GRANT SELECT ON ${table.schema}.${table.name} TO ${role}`;
  if (exists === undefined)
    return 'The server cannot see past the policies, so it does not know the row. Let DATABASE_URL name the owner of the table, and app.datasource.username the role of the server.';
  if (rowSecurity === true) {
    const own = policies.filter(({ applies }) => applies);
    const hiding = own.find(({ permissive, value }) => !permissive && value !== true);
    if (!own.some(({ permissive, value }) => permissive && value === true))
      return own.some(({ permissive }) => permissive)
        ? `No permissive policy lets ${name} see the row.`
        : `No permissive policy of ${title} is for the role ${role}, so that it sees no row.`;
    if (hiding !== undefined) return `The restrictive policy ${hiding.name} hides the row from ${name}.`;
  }
  if (rule?.holds === false)
    return `${rule.text === undefined ? 'A hook of the server' : 'The rule of the configuration'} hides the row from ${name}.`;
  return `${name} does not see the row, and no policy or rule says why.`;
}
