/**
 * A live board: issues by status, moved by dragging. It is an example to copy. One WebSocket carries
 * its query, its mutations and its subscription; the client is graphql-ws, as docs/subscriptions.md
 * shows it. It asks as the caller that is chosen in its header, or as the user of a token after `#`:
 * board.html#eyJ…
 */
import { createClient } from '/graphql-ws/client.js';

const kept = 'tablewright.token';
if (location.hash.length > 1) sessionStorage.setItem(kept, location.hash.slice(1));
const token = sessionStorage.getItem(kept) ?? '';

/** The header of the console. A server in production has none. */
import('/console/assets/client/site.js').then(
  ({ showHeader }) =>
    showHeader(document.querySelector('#console'), 'Board', () => {
      history.replaceState(null, '', location.pathname);
      location.reload();
    }),
  () => undefined,
);

const client = createClient({
  url: new URL('/graphql', location.href.replace(/^http/, 'ws')).href,
  connectionParams: token === '' ? {} : { Authorization: `Bearer ${token}` },
  // The loop at the end connects again, and then also reads the rows again.
  retryAttempts: 0,
});

/** Sends a query or a mutation and returns its data. Throws the first error of its answer. */
async function ask(query, variables = {}) {
  for await (const { data, errors } of client.iterate({ query, variables })) {
    if (errors?.length > 0) throw new Error(errors[0].message);
    return data;
  }
  throw new Error('The server sent no answer.');
}

const columns = { backlog: 'Backlog', todo: 'To do', in_progress: 'In progress', in_review: 'In review', done: 'Done' };
const statuses = Object.keys(columns);

/** The issues by their ids, as the server has reported them. */
const issues = new Map();
/** Statuses that this page has asked for and that the subscription has not reported yet. */
const sent = new Map();

const board = document.querySelector('#board');
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

function show() {
  const focused = document.activeElement?.id;
  const scrolled = board.scrollLeft;
  board.replaceChildren(...statuses.map(column));
  board.scrollLeft = scrolled;
  // A card in the last column has no arrow to the right: its other arrow takes the focus.
  const moved = focused?.split('-')[1];
  if (moved) (document.getElementById(focused) ?? document.querySelector(`li [id$="-${moved}"]`))?.focus();
}

const statusOf = ({ id, status }) => sent.get(id) ?? status;

function column(status) {
  const own = [...issues.values()].filter((issue) => statusOf(issue) === status).sort((a, b) => a.id - b.id);
  const heading = element('h2', {}, columns[status], ' ', element('small', {}, String(own.length)));
  const section = element(
    'section',
    { id: status, ariaLabel: columns[status] },
    heading,
    element('ul', {}, ...own.map(card)),
  );
  section.ondragover = (event) => {
    event.preventDefault();
    section.classList.add('over');
  };
  section.ondragleave = () => section.classList.remove('over');
  section.ondrop = (event) => {
    event.preventDefault();
    void move(Number(event.dataTransfer.getData('text/plain')), status);
  };
  return section;
}

function card(issue) {
  const { id, title } = issue;
  const at = statuses.indexOf(statusOf(issue));
  const arrow = (sign, to, side) =>
    to === undefined
      ? ''
      : element(
          'button',
          { id: `${side}-${id}`, ariaLabel: `Move "${title}" to ${columns[to]}`, onclick: () => move(id, to) },
          sign,
        );
  const arrows = element('span', {}, arrow('←', statuses[at - 1], 'left'), arrow('→', statuses[at + 1], 'right'));
  const made = element('li', { draggable: true, className: sent.has(id) ? 'sent' : '' }, title, arrows);
  made.ondragstart = (event) => event.dataTransfer.setData('text/plain', String(id));
  return made;
}

/** Shows the card in its new column at once, and back in its old one if the server refuses. */
async function move(id, status) {
  if (!issues.has(id) || statusOf(issues.get(id)) === status) return;
  const mutation = `mutation { updateKanbanIssues(id: ${id}, input: { status: ${status} }) { id } }`;
  sent.set(id, status);
  show();
  say(`Sent: ${mutation}`);
  try {
    const { updateKanbanIssues: written } = await ask(mutation);
    if (written.length === 0) throw new Error('The policies of the database do not let this caller change the issue.');
  } catch (error) {
    sent.delete(id);
    show();
    say(`Refused: ${mutation} ${error.message ?? 'The connection was lost.'}`, 'bad');
  }
}

function apply({ operation, key, data }) {
  const id = operation === 'DELETE' ? key.id : data.id;
  if (operation === 'DELETE') issues.delete(id);
  else issues.set(id, data);
  if (sent.get(id) === data?.status) say(`Reported by the subscription: issue ${id} is ${data.status}.`);
  if (operation === 'DELETE' || sent.get(id) === data.status) sent.delete(id);
  show();
}

/** The rows as they are follow. */
function clear() {
  issues.clear();
  sent.clear();
  show();
}

function say(text, className = '') {
  Object.assign(document.querySelector('footer p'), { textContent: text, className });
}

for (;;) {
  try {
    // It begins with the rows as they are, also after each RESYNC: nothing is missed, and each row that is deleted or
    // hidden later is reported.
    const changes = client.iterate({
      query: 'subscription { kanbanIssuesChanges(snapshot: true) { operation key data { id title status } } }',
    });
    clear();
    say('Connected. Changes of every client of the database appear here as they are committed.');
    for await (const { data, errors } of changes) {
      if (errors?.length > 0) throw new Error(errors[0].message);
      if (data.kanbanIssuesChanges.operation === 'RESYNC') clear();
      else apply(data.kanbanIssuesChanges);
    }
  } catch (error) {
    say(`The connection is lost, and tried again. ${error.message ?? error.reason ?? ''}`, 'bad');
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
