import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';

/** Views with the keys and relations of the tables behind them. */
let served: Served;
let server: ServedServer;

const sql = `create schema desk;
  create table desk.people (id int primary key, name text not null);
  create table desk.tickets (
    id int primary key, title text not null, owner_id int not null references desk.people, helper_id int references desk.people
  );
  create view desk.open_tickets as
    select t.id, t.title, t.owner_id, p.name as owner from desk.tickets t join desk.people p on p.id = t.owner_id where t.id < 90;
  create view desk.plain_tickets as select id, title, helper_id from desk.tickets;
  create view desk.totals as select owner_id, count(*) as tickets from desk.tickets group by owner_id;
  insert into desk.people values (1, 'Ada'), (2, 'Bo');
  insert into desk.tickets select i, 'same', 1 + i % 2, case when i = 3 then 2 end from generate_series(1, 7) i;`;

beforeAll(async () => {
  served = await openServed({ name: 'desk_views', schema: 'desk', sql });
  server = await served.start({ APP_SECURITY_JWT_ENABLED: 'false' });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});

async function data(document: string): Promise<unknown> {
  const { text } = await server.ask(document);
  const body = JSON.parse(text) as { readonly data?: unknown; readonly errors?: unknown };
  expect(body.errors).toBeUndefined();
  return body.data;
}

test('a row by the key of its table, over both protocols', async () => {
  expect(await data('{ deskOpenTicketsByPk(id: 3) { id owner } }')).toEqual({
    deskOpenTicketsByPk: { id: 3, owner: 'Bo' },
  });
  expect(await data('{ deskOpenTicketsByPk(id: 99) { id } }')).toEqual({ deskOpenTicketsByPk: null });
  const row = await server.get('/api/v1/open_tickets/4?select=id,owner');
  expect([row.status, JSON.parse(row.text)]).toEqual([200, { id: 4, owner: 'Ada' }]);
  expect((await server.get('/api/v1/open_tickets/99')).status).toBe(404);
});

test('cursors go on after the row, among rows that are equal but for the key', async () => {
  const seen: number[] = [];
  let after = '';
  for (;;) {
    const page = (await data(
      `{ deskOpenTicketsConnection(first: 2, orderBy: { title: ASC }${after}) { nodes { id } pageInfo { endCursor hasNextPage } } }`,
    )) as {
      readonly deskOpenTicketsConnection: {
        readonly nodes: readonly { readonly id: number }[];
        readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
      };
    };
    const { nodes, pageInfo } = page.deskOpenTicketsConnection;
    seen.push(...nodes.map(({ id }) => id));
    // A new row before the cursor does not move the following pages.
    if (seen.length === 2) await served.query("insert into desk.tickets values (-1, 'same', 1)");
    if (!pageInfo.hasNextPage) break;
    after = `, after: "${pageInfo.endCursor}"`;
  }
  await served.query('delete from desk.tickets where id = -1');
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('relations both ways, filters and aggregates along them', async () => {
  expect(
    await data(`{
      deskOpenTickets(where: { deskOwnerId: { name: { eq: "Bo" } } }, orderBy: { id: ASC }, limit: 1) { id deskOwnerId { name } }
      deskPeople(orderBy: { id: ASC }) { name deskOpenTicketsAggregate { count } deskTotals { tickets } }
      deskPlainTickets(where: { id: { in: [2, 3] } }, orderBy: { id: ASC }) { deskHelperId { name } }
    }`),
  ).toEqual({
    deskOpenTickets: [{ id: 1, deskOwnerId: { name: 'Bo' } }],
    deskPeople: [
      { name: 'Ada', deskOpenTicketsAggregate: { count: 3 }, deskTotals: [{ tickets: '3' }] },
      { name: 'Bo', deskOpenTicketsAggregate: { count: 4 }, deskTotals: [{ tickets: '4' }] },
    ],
    deskPlainTickets: [{ deskHelperId: null }, { deskHelperId: { name: 'Bo' } }],
  });
});

test('key columns are never null; a view whose rows are put together has no key', async () => {
  const nullability = (await data(`{
    open: __type(name: "DeskOpenTickets") { fields { name type { kind } } }
    query: __type(name: "Query") { fields { name } }
    change: __type(name: "Mutation") { fields { name args { name } } }
    created: __type(name: "DeskPeopleCreateInput") { inputFields { name } }
    plain: __type(name: "DeskPlainTicketsCreateInput") { inputFields { name type { kind } } }
  }`)) as {
    readonly open: { readonly fields: readonly { readonly name: string; readonly type: { readonly kind: string } }[] };
    readonly query: { readonly fields: readonly { readonly name: string }[] };
    readonly change: {
      readonly fields: readonly { readonly name: string; readonly args: readonly { readonly name: string }[] }[];
    };
    readonly plain: {
      readonly inputFields: readonly { readonly name: string; readonly type: { readonly kind: string } }[];
    };
    readonly created: { readonly inputFields: readonly { readonly name: string }[] };
  };
  const { open, query, change, created, plain } = nullability;
  // Inputs of a view are nullable: the table behind the view may have a default.
  expect(plain.inputFields.filter(({ type }) => type.kind === 'NON_NULL')).toEqual([]);
  expect(open.fields.filter(({ type }) => type.kind === 'NON_NULL').map(({ name }) => name)).toEqual(['id']);
  const fields = query.fields.map(({ name }) => name);
  expect([fields.includes('deskOpenTicketsByPk'), fields.includes('deskTotalsByPk')]).toEqual([true, false]);
  // An upsert needs a constraint, and a view has none. Rows of tables cannot contain rows of views
  // as input.
  const create = change.fields.find(({ name }) => name === 'createDeskPlainTickets');
  expect(create?.args.map(({ name }) => name)).toEqual(['input']);
  expect(created.inputFields.map(({ name }) => name)).not.toContain('deskOpenTickets');
});

test('a row of an updatable view is changed by its key', async () => {
  const document = 'mutation { updateDeskPlainTickets(id: 5, input: { title: "new" }) { id title } }';
  expect(await data(document)).toEqual({ updateDeskPlainTickets: [{ id: 5, title: 'new' }] });
  await served.query("update desk.tickets set title = 'same'");
});

test('REST embeds along them', async () => {
  const { status, text } = await server.get('/api/v1/people?select=name,plain_tickets(id)&id=eq.2');
  expect([status, JSON.parse(text)]).toMatchObject([200, { data: [{ name: 'Bo', plain_tickets: [{ id: 3 }] }] }]);
});
