import { play, startMount, type Case, type Mount } from './support/mount.js';

/** Tables of the kinds that PostgREST's page "Resource Embedding" has. */
const sql = `
create schema private;
create table private.countries (id int primary key, name text not null);
create view countries as select id, name as title from private.countries;
create table private.cities (id int primary key, country_id int references private.countries, name text);
create view cities as select * from private.cities;

create table users (id int primary key, name text not null);
create table teams (id int primary key, name text not null);
create table memberships (
  user_id int references users, team_id int references teams, role text not null, since date,
  primary key (user_id, team_id));
create table stays (
  user_id int references users, team_id int references teams, day date, primary key (user_id, team_id, day));
create table likes (
  id int primary key, user_id int references users, team_id int references teams, unique (user_id, team_id));

create table directors (id int primary key, name text not null);
create table films (
  id int primary key, title text not null, director_id int references directors,
  director_name text generated always as (null) stored);
create table actors (id int primary key, name text not null);
create table roles (
  film_id int references films, actor_id int references actors, character text, primary key (film_id, actor_id));
create view nice_films as select id as film, title, director_id as made_by from films;
create view nicest_films as select film, title, made_by from nice_films;
create view nice_roles as select film_id, actor_id, character from roles;
create view directors_view as select id, name from directors;

create table addresses (id int primary key, name text);
create table orders (
  id int primary key, name text,
  billing int references addresses, shipping int constraint shipping_fk references addresses);
create table employees (id int primary key, name text, boss_id int references employees);
create table alone (id int primary key);

create function the_director(films) returns setof directors rows 1 stable language sql as
  $$ select * from directors where id = $1.director_id $$;
create function made(directors) returns setof films stable language sql as
  $$ select * from films where director_id = $1.id $$;

insert into private.countries values (1, 'Peru'), (2, 'Chile');
insert into private.cities values (1, 1, 'Lima'), (2, 1, 'Cusco'), (3, 2, 'Arica');
insert into users values (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
insert into teams values (1, 'Red'), (2, 'Blue');
insert into memberships values (1, 1, 'lead', '2020-01-01'), (1, 2, 'guest', null), (2, 1, 'guest', null);
insert into stays values (1, 1, '2020-01-01'), (1, 1, '2020-01-02');
insert into directors values (1, 'Varda'), (2, 'Ozu');
insert into films values (1, 'Cleo', 1), (2, 'Vagabond', 1), (3, 'Late Spring', 2), (4, 'Untold', null);
insert into actors values (1, 'Corinne'), (2, 'Sandrine');
insert into roles values (1, 1, 'Florence'), (2, 2, 'Mona');
insert into addresses values (1, 'Here'), (2, 'There');
insert into orders values (1, 'One', 1, 2);
insert into employees values (1, 'Chief', null), (2, 'Clerk', 1), (3, 'Cook', 1);
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('relations', sql, { APP_SCHEMAS: 'public' });
});
afterAll(() => mount.stop());

const cases: readonly Case[] = [
  // Many-to-many, over junction tables with further columns.
  {
    ask: '/users?select=name,teams(name)&order=id&teams.order=id',
    json: {
      code: 'PGRST201',
      details: ['memberships', 'stays'].map((name) => ({
        cardinality: 'many-to-many',
        embedding: 'users with teams',
        relationship: `${name} using ${name}_user_id_fkey(user_id) and ${name}_team_id_fkey(team_id)`,
      })),
      hint: "Try changing 'teams' to one of the following: 'teams!memberships', 'teams!stays'. Find the desired relationship in the 'details' key.",
      message: "Could not embed because more than one relationship was found for 'users' and 'teams'",
    },
    status: 300,
  },
  {
    ask: '/users?select=name,teams!memberships(name)&order=id&teams.order=id',
    json: [
      { name: 'Ada', teams: [{ name: 'Red' }, { name: 'Blue' }] },
      { name: 'Bo', teams: [{ name: 'Red' }] },
      { name: 'Cy', teams: [] },
    ],
  },
  {
    ask: '/teams?select=name,users!memberships!inner(name)&order=id&users.name=eq.Bo',
    json: [{ name: 'Red', users: [{ name: 'Bo' }] }],
  },
  {
    ask: '/users?select=...teams!memberships(teams:name),memberships(role)&id=eq.2',
    json: [{ teams: ['Red'], memberships: [{ role: 'guest' }] }],
  },
  // A key with a further column may join two rows several times.
  { ask: '/users?select=teams!stays(name)&id=eq.1', json: [{ teams: [{ name: 'Red' }, { name: 'Red' }] }] },
  // A unique constraint makes no junction.
  {
    ask: '/users?select=teams!likes(name)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'users' and 'teams' using the hint 'likes' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'stays' instead of 'teams'.",
      message: "Could not find a relationship between 'users' and 'teams' in the schema cache",
    },
  },
  // A table in itself.
  {
    ask: '/employees?select=name,employees(name)&id=eq.1&employees.order=id',
    json: [{ name: 'Chief', employees: [{ name: 'Clerk' }, { name: 'Cook' }] }],
  },
  { ask: '/employees?select=name,boss_id(name)&id=eq.2', json: [{ name: 'Clerk', boss_id: { name: 'Chief' } }] },
  {
    ask: '/employees?select=name,boss:boss_id(name)&id=eq.1',
    json: [{ name: 'Chief', boss: null }],
  },
  {
    ask: '/employees?select=staff:employees!boss_id(name)&id=eq.1&staff.order=name.desc',
    json: [{ staff: [{ name: 'Cook' }, { name: 'Clerk' }] }],
  },
  { ask: '/employees?select=employees!employees_boss_id_fkey(name)', status: 400 },
  // By constraint, and by the column of either key.
  {
    ask: '/orders?select=shipping(name),billing(name)',
    json: [{ shipping: { name: 'There' }, billing: { name: 'Here' } }],
  },
  { ask: '/orders?select=shipping_fk(name)', json: [{ shipping_fk: { name: 'There' } }] },
  { ask: '/orders?select=a:addresses!shipping(name)', json: [{ a: { name: 'There' } }] },
  { ask: '/addresses?select=orders!shipping(name)&order=id', json: [{ orders: [] }, { orders: [{ name: 'One' }] }] },
  { ask: '/directors?select=id(title)&id=eq.2', json: [{ id: [{ title: 'Late Spring' }] }] },
  {
    ask: '/orders?select=addresses(name)',
    status: 300,
    json: {
      code: 'PGRST201',
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'orders with addresses',
          relationship: 'orders_billing_fkey using orders(billing) and addresses(id)',
        },
        {
          cardinality: 'many-to-one',
          embedding: 'orders with addresses',
          relationship: 'shipping_fk using orders(shipping) and addresses(id)',
        },
      ],
      hint: "Try changing 'addresses' to one of the following: 'addresses!orders_billing_fkey', 'addresses!shipping_fk'. Find the desired relationship in the 'details' key.",
      message: "Could not embed because more than one relationship was found for 'orders' and 'addresses'",
    },
  },
  {
    ask: '/users?select=membership(role)',
    status: 400,
    json: {
      code: 'PGRST200',
      details:
        "Searched for a foreign key relationship between 'users' and 'membership' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'memberships' instead of 'membership'.",
      message: "Could not find a relationship between 'users' and 'membership' in the schema cache",
    },
  },
  // Views.
  { ask: '/countries?select=title,cities(name)&id=eq.2', json: [{ title: 'Chile', cities: [{ name: 'Arica' }] }] },
  { ask: '/cities?select=name,countries(title)&id=eq.3', json: [{ name: 'Arica', countries: { title: 'Chile' } }] },
  { ask: '/directors?select=nice_films(title)&id=eq.2', json: [{ nice_films: [{ title: 'Late Spring' }] }] },
  { ask: '/directors_view?select=films(title)&id=eq.2', json: [{ films: [{ title: 'Late Spring' }] }] },
  { ask: '/films?select=directors_view(name)&id=eq.1', json: [{ directors_view: { name: 'Varda' } }] },
  { ask: '/nice_films?select=directors_view(name)&film=eq.1', json: [{ directors_view: { name: 'Varda' } }] },
  { ask: '/directors_view?select=nicest_films(title)&id=eq.2', json: [{ nicest_films: [{ title: 'Late Spring' }] }] },
  { ask: '/nice_films?select=actors!roles(name)&film=eq.1', json: [{ actors: [{ name: 'Corinne' }] }] },
  { ask: '/actors?select=films!nice_roles(title)&id=eq.2', json: [{ films: [{ title: 'Vagabond' }] }] },
  { ask: '/actors?select=nicest_films!nice_roles(title)&id=eq.2', json: [{ nicest_films: [{ title: 'Vagabond' }] }] },
  {
    ask: '/nice_films?select=title,actors!roles!inner(name)&order=film.desc',
    json: [
      { title: 'Vagabond', actors: [{ name: 'Sandrine' }] },
      { title: 'Cleo', actors: [{ name: 'Corinne' }] },
    ],
  },
  // Functions that answer rows.
  {
    ask: '/films?select=title,the_director(name)&order=id.desc&limit=2',
    json: [
      { title: 'Untold', the_director: null },
      { title: 'Late Spring', the_director: { name: 'Ozu' } },
    ],
  },
  {
    ask: '/films?select=title,the_director(name)&the_director=not.is.null&order=the_director(name),id',
    json: [
      { title: 'Late Spring', the_director: { name: 'Ozu' } },
      { title: 'Cleo', the_director: { name: 'Varda' } },
      { title: 'Vagabond', the_director: { name: 'Varda' } },
    ],
  },
  {
    ask: '/films?select=title,...the_director(name)&order=id.desc&limit=2',
    json: [
      { title: 'Untold', name: null },
      { title: 'Late Spring', name: 'Ozu' },
    ],
  },
  { ask: '/directors?select=made(title)&id=eq.2', json: [{ made: [{ title: 'Late Spring' }] }] },
  { ask: '/directors?select=...made(title)&id=eq.2', json: [{ title: ['Late Spring'] }] },
  // Parameters of embedded tables.
  {
    ask: '/users?select=id&teams.name=eq.Red',
    status: 400,
    json: {
      code: 'PGRST108',
      details: null,
      hint: "Verify that 'teams' is included in the 'select' query parameter.",
      message: "'teams' is not an embedded resource in this request",
    },
  },
  { ask: '/users?select=t:teams!memberships(name)&t.name=eq.Red&id=eq.1', json: [{ t: [{ name: 'Red' }] }] },
  { ask: '/users?select=t:teams!memberships(name)&teams.name=eq.Red&id=eq.1', json: [{ t: [{ name: 'Red' }] }] },
  {
    ask: '/directors?select=films(title)&order=films(title)',
    status: 400,
    json: {
      code: 'PGRST118',
      details: "'directors' and 'films' do not form a many-to-one or one-to-one relationship",
      hint: null,
      message: "A related order on 'films' is not possible",
    },
  },
  { ask: '/films?select=id&order=directors(name)', status: 400, json: expect.objectContaining({ code: 'PGRST108' }) },
  { ask: '/alone?select=users(id)', status: 400, json: expect.objectContaining({ code: 'PGRST200' }) },
  // This server's own form.
  {
    ask: '/api/v1/users?select=teams!memberships(name)&id=eq.2',
    json: expect.objectContaining({ data: [{ teams: [{ name: 'Red' }] }] }),
  },
  {
    ask: '/api/v1/employees?select=employees(name)&id=eq.1&employees.order=id',
    json: expect.objectContaining({ data: [{ employees: [{ name: 'Clerk' }, { name: 'Cook' }] }] }),
  },
  {
    ask: '/api/v1/employees?select=employees!boss_id(name)&id=eq.3',
    json: expect.objectContaining({ data: [{ employees: [] }] }),
  },
  {
    ask: '/api/v1/films?select=directors_view(name)&id=eq.1',
    json: expect.objectContaining({ data: [{ directors_view: { name: 'Varda' } }] }),
  },
];

test.each(cases)('$ask', (each) => play(mount, each));
