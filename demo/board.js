// With a token after `#`, the board shows the rows of the token's user: board.html#eyJ…
const token = location.hash.slice(1);
const statuses = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
const fields = 'id title status';
const issues = new Map();

const ask = (query, variables, accept = 'application/json') =>
  fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });

async function read() {
  const { data } = await (await ask(`{ kanbanIssues(orderBy: { id: ASC }) { ${fields} } }`)).json();
  issues.clear();
  for (const issue of data.kanbanIssues) issues.set(issue.id, issue);
}

function show() {
  const columns = statuses.map((id) => Object.assign(document.createElement('section'), { id, textContent: id }));
  for (const issue of issues.values()) columns[statuses.indexOf(issue.status)].append(card(issue));
  document.body.replaceChildren(...columns);
}

// A click updates the issue. The card moves when the subscription reports the change.
function card({ id, title, status }) {
  const next = statuses[(statuses.indexOf(status) + 1) % statuses.length];
  const move = `mutation { updateKanbanIssues(id: ${id}, input: { status: ${next} }) { id } }`;
  return Object.assign(document.createElement('article'), { textContent: title, onclick: () => ask(move) });
}

async function* changes() {
  const document = `subscription { kanbanIssuesChanges { operation key data { ${fields} } } }`;
  const response = await ask(document, {}, 'text/event-stream');
  // The stream has begun and reports later changes, so the board now reads the current rows.
  yield { operation: 'RESYNC' };
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n');
    text = events.pop();
    const told = events.filter((event) => event.startsWith('event: next'));
    for (const event of told) yield JSON.parse(event.slice(event.indexOf('data:') + 5)).data.kanbanIssuesChanges;
  }
}

for (;;) {
  try {
    for await (const { operation, key, data } of changes()) {
      if (operation === 'RESYNC') await read();
      else if (operation === 'DELETE') issues.delete(key.id);
      else issues.set(data.id, data);
      show();
    }
  } catch (error) {
    console.warn('The server is not there.', error);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
