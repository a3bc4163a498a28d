import { play, startMount, type Case, type Mount } from './support/mount.js';

/**
 * PostgREST's own advice, "Schema isolation": views in the schema of the API over tables in a
 * schema that is not served. Only `api` is read.
 */
const sql = `
create schema private;
create schema api;
create table private.clients (id int primary key, name text not null);
create table private.projects (
  id int primary key, name text not null, client_id int references private.clients, code text unique);
create table private.people (id int primary key, name text not null);
create table private.seats (
  person_id int references private.people, project_id int references private.projects, role text,
  primary key (person_id, project_id));
create table private.marks (
  person_id int references private.people, project_id int references private.projects,
  primary key (person_id, project_id));
create table private.parts (
  project_id int, number int, name text, primary key (project_id, number));
create table private.orders (
  id int primary key, project_id int, number int,
  constraint orders_part foreign key (project_id, number) references private.parts);
create view private.names as select id as person, name from private.people;

create view api.clients as select id, name as title from private.clients;
create view api.projects as select * from private.projects;
create view api.people as select person as id, name from private.names;
create view api.seats as select person_id, project_id, role from private.seats;
create view api.parts as select project_id, number, name from private.parts;
create view api.orders as select id, project_id, number from private.orders;
-- A key that the view has in part is none.
create view api.part_names as select number, name from private.parts;
create view api.pairs as
  select p.id, p.name, c.name as client from private.projects p join private.clients c on c.id = p.client_id;
create view api.all_names as select id, name from private.clients union select id, name from private.people;
create table api.notes (id int primary key, project_id int references private.projects, text text);

insert into private.clients values (1, 'Acme'), (2, 'Bolt');
insert into private.projects values (1, 'One', 1, 'A'), (2, 'Two', 1, 'B'), (3, 'Three', null, 'C');
insert into private.people values (1, 'Ada'), (2, 'Bo');
insert into private.seats values (1, 1, 'lead'), (1, 2, 'guest'), (2, 1, 'guest');
insert into private.marks values (2, 2);
insert into private.parts values (1, 1, 'Bolt'), (1, 2, 'Nut');
insert into private.orders values (1, 1, 2);
insert into api.notes values (1, 1, 'First');
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('private_tables', sql, {}, { schemas: ['api'] });
});
afterAll(() => mount.stop());

const noRelation = { status: 400, json: expect.objectContaining({ code: 'PGRST200' }) as unknown };

const cases: readonly Case[] = [
  // Many-to-one, one-to-many, and from a table of the schema.
  {
    ask: '/projects?select=name,clients(title)&order=id&limit=3',
    json: [
      { name: 'One', clients: { title: 'Acme' } },
      { name: 'Two', clients: { title: 'Acme' } },
      { name: 'Three', clients: null },
    ],
  },
  {
    ask: '/clients?select=title,projects(name)&id=eq.1&projects.order=id',
    json: [{ title: 'Acme', projects: [{ name: 'One' }, { name: 'Two' }] }],
  },
  {
    ask: '/notes?select=text,projects(name,clients(title))',
    json: [{ text: 'First', projects: { name: 'One', clients: { title: 'Acme' } } }],
  },
  { ask: '/projects?select=name,notes(text)&id=eq.1', json: [{ name: 'One', notes: [{ text: 'First' }] }] },
  {
    ask: '/projects?select=name,clients!projects_client_id_fkey(title)&id=eq.1',
    json: [{ name: 'One', clients: { title: 'Acme' } }],
  },
  {
    ask: '/projects?select=name,clients!client_id(title)&id=eq.1',
    json: [{ name: 'One', clients: { title: 'Acme' } }],
  },
  {
    ask: '/projects?select=name,clients!inner()&clients.title=eq.Acme&order=id',
    json: [{ name: 'One' }, { name: 'Two' }],
  },
  // Several columns.
  { ask: '/orders?select=id,parts(name)', json: [{ id: 1, parts: { name: 'Nut' } }] },
  {
    ask: '/parts?select=name,orders(id)&order=number',
    json: [
      { name: 'Bolt', orders: [] },
      { name: 'Nut', orders: [{ id: 1 }] },
    ],
  },
  { ask: '/orders?select=id,part_names(name)', ...noRelation },
  // Through a view of a junction, and a view over a view that is not served.
  {
    ask: '/people?select=name,projects(name)&order=id&projects.order=id',
    json: [
      { name: 'Ada', projects: [{ name: 'One' }, { name: 'Two' }] },
      { name: 'Bo', projects: [{ name: 'One' }] },
    ],
  },
  {
    ask: '/projects?select=name,people(name),seats(role)&id=eq.2',
    json: [{ name: 'Two', people: [{ name: 'Ada' }], seats: [{ role: 'guest' }] }],
  },
  // A junction in a schema that is not served makes no relation.
  { ask: '/people?select=name,projects!marks(name)', ...noRelation },
  // A view of a join has the keys of all its tables.
  { ask: '/pairs?select=client,notes(text)&id=eq.1', json: [{ client: 'Acme', notes: [{ text: 'First' }] }] },
  { ask: '/all_names?select=name,projects(name)', ...noRelation },
  // What is not served stays so.
  { ask: '/marks', status: 404, json: expect.objectContaining({ code: 'PGRST205' }) as unknown },
  { ask: '/names', status: 404, json: expect.objectContaining({ code: 'PGRST205' }) as unknown },
  // The key of the table is the view's.
  {
    ask: 'POST /clients',
    body: { id: 9, title: 'New' },
    headers: { prefer: 'return=headers-only, tx=rollback' },
    status: 201,
    has: { location: '/rest/v1/clients?id=eq.9' },
  },
  {
    ask: 'POST /clients?select=id,title',
    body: { id: 1, title: 'Renamed' },
    headers: { prefer: 'return=representation, resolution=merge-duplicates, tx=rollback' },
    status: 200,
    json: [{ id: 1, title: 'Renamed' }],
  },
];

test.each(cases)('$ask', (each) => play(mount, each));
