import { play, startMount, type Case, type Mount } from './support/mount.js';

/**
 * Implicit casts between domains and json or text: PostgREST, "Domain Representations". A color is
 * an integer in the database, and "#0064FF" for clients; an app_uuid is base64.
 */
const sql = `
create domain color as int check (value between 0 and 16777215);
create function json(color) returns json language sql immutable as
  $$ select to_json('#' || lpad(upper(to_hex($1)), 6, '0')) $$;
create function color(text) returns color language sql immutable as
  $$ select (('x' || lpad(replace($1, '#', ''), 8, '0'))::bit(32)::int)::color $$;
create function color(json) returns color language sql immutable as $$ select color($1 #>> '{}') $$;
create cast (color as json) with function json(color) as implicit;
create cast (json as color) with function color(json) as implicit;
create cast (text as color) with function color(text) as implicit;

create schema hidden;
create domain hidden."app uuid" as uuid;
create function hidden."to ""json"""(hidden."app uuid") returns json language sql immutable as
  $$ select to_json(encode(uuid_send($1), 'base64')) $$;
create function hidden."of text"(text) returns hidden."app uuid" language sql immutable as
  $$ select encode(decode($1, 'base64'), 'hex')::uuid::hidden."app uuid" $$;
create function hidden."of json"(json) returns hidden."app uuid" language sql immutable as
  $$ select hidden."of text"($1 #>> '{}') $$;
create cast (hidden."app uuid" as json) with function hidden."to ""json"""(hidden."app uuid") as implicit;
create cast (text as hidden."app uuid") with function hidden."of text"(text) as implicit;
create cast (json as hidden."app uuid") with function hidden."of json"(json) as implicit;

-- Only what is written has a form of its own; and a cast that is not implicit is none.
create domain shouted as text;
create function json(shouted) returns json language sql immutable as $$ select to_json(upper($1)) $$;
create cast (shouted as json) with function json(shouted) as implicit;
create domain plain as text;
create function json(plain) returns json language sql immutable as $$ select to_json('never'::text) $$;
create cast (plain as json) with function json(plain) as assignment;

create type mood as enum ('sad', 'happy');
create domain feeling as mood;
create function feeling(text) returns feeling language sql immutable as $$ select lower($1)::mood::feeling $$;
create cast (text as feeling) with function feeling(text) as implicit;

create table lists (
  id int primary key, color color not null default 255, uuid hidden."app uuid", word shouted, plain plain, mood feeling);
create table items (id int primary key, list_id int references lists, color color, colors color[]);
create view palette as select id, color, (color / 2)::color as dark from lists;
create function brightest() returns setof lists language sql stable as $$ select * from lists where color > 255 $$;
create function painted(color color) returns color language sql stable as $$ select color $$;
create function add_list(id int) returns lists language sql as $$ insert into lists values (id, 7) returning * $$;

insert into lists values
  (1, 256, '846c4ffd-92ce-4de7-8d11-8e29929f4ec4', 'loud', 'plain', 'happy'), (2, 123456, null, null, null, 'sad');
insert into items values (1, 1, 16777215, '{1,2}'), (2, 1, null, null);
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('representations', sql, { APP_SCHEMAS: 'public' }, { functions: ['public.*'] });
});
afterAll(() => mount.stop());

const returning = { headers: { prefer: 'return=representation' } };
const rolledBack = { headers: { prefer: 'return=representation, tx=rollback' } };

const reads: readonly Case[] = [
  {
    ask: '/lists?order=id&select=id,color',
    json: [
      { id: 1, color: '#000100' },
      { id: 2, color: '#01E240' },
    ],
  },
  {
    ask: '/lists?id=eq.1',
    json: [{ id: 1, color: '#000100', uuid: 'hGxP/ZLOTeeNEY4pkp9OxA==', word: 'LOUD', plain: 'plain', mood: 'happy' }],
  },
  // Null is what the function makes of it.
  { ask: '/items?id=eq.2', json: [{ id: 2, list_id: 1, color: null, colors: null }] },
  // An array of a domain is an array.
  { ask: '/items?id=eq.1&select=colors', json: [{ colors: [1, 2] }] },
  { ask: '/lists?select=tint:color&id=eq.1', json: [{ tint: '#000100' }] },
  // A cast is of the form.
  { ask: '/lists?select=color::text&id=eq.1', json: [{ color: '"#000100"' }] },
  {
    ask: '/lists?select=id,items(color)&id=eq.1&items.order=id',
    json: [{ id: 1, items: [{ color: '#FFFFFF' }, { color: null }] }],
  },
  { ask: '/items?select=...lists(color)&id=eq.1', json: [{ color: '#000100' }] },
  { ask: '/lists?select=...items(colors:color)&id=eq.1&items.order=id', json: [{ colors: ['#FFFFFF', null] }] },
  { ask: '/palette?id=eq.2', json: [{ id: 2, color: '#01E240', dark: '#00F120' }] },
  {
    ask: '/lists?select=color,count()&order=color',
    json: [
      { color: '#000100', count: 1 },
      { color: '#01E240', count: 1 },
    ],
  },
  {
    ask: '/lists?select=id,color&order=id',
    headers: { accept: 'text/csv' },
    text: 'id,color\n1,"""#000100"""\n2,"""#01E240"""',
  },
  { ask: '/lists?select=color&order=color.desc&limit=1', json: [{ color: '#01E240' }] },
];

const filters: readonly Case[] = [
  { ask: '/lists?select=id&color=eq.%23000100', json: [{ id: 1 }] },
  { ask: '/lists?select=id&color=eq.000100', json: [{ id: 1 }] },
  { ask: '/lists?select=id&color=neq.%23000100', json: [{ id: 2 }] },
  { ask: '/lists?select=id&color=lt.%2301E240', json: [{ id: 1 }] },
  { ask: '/lists?select=id&color=gte.%2301E240', json: [{ id: 2 }] },
  { ask: '/lists?select=id&order=id&color=in.(%23000100,%2301E240)', json: [{ id: 1 }, { id: 2 }] },
  { ask: '/lists?select=id&color=not.in.(%23000100)', json: [{ id: 2 }] },
  { ask: '/lists?select=id&color=in.()', json: [] },
  { ask: '/lists?select=id&or=(color.eq.%23000100,id.eq.7)', json: [{ id: 1 }] },
  { ask: '/lists?select=id&color=is.null', json: [] },
  { ask: '/lists?select=id&uuid=eq.hGxP/ZLOTeeNEY4pkp9OxA==', json: [{ id: 1 }] },
  { ask: '/lists?select=id&word=eq.loud', json: [{ id: 1 }] },
  { ask: '/lists?select=id&word=like.lo*', json: [{ id: 1 }] },
  { ask: '/lists?select=id&mood=eq.HAPPY', json: [{ id: 1 }] },
  { ask: '/lists?select=id&mood=in.(HAPPY,SAD)&order=id', json: [{ id: 1 }, { id: 2 }] },
  { ask: '/lists?select=id,items(id)&id=eq.1&items.color=eq.%23FFFFFF', json: [{ id: 1, items: [{ id: 1 }] }] },
  { ask: '/palette?select=id&dark=eq.%2300F120', json: [{ id: 2 }] },
  // Of the database's own form, nothing is left.
  {
    ask: '/lists?select=id&uuid=eq.846c4ffd-92ce-4de7-8d11-8e29929f4ec4',
    status: 400,
    json: expect.objectContaining({ code: '22023' }) as unknown,
  },
];

const writes: readonly Case[] = [
  {
    ask: 'POST /lists?select=id,color',
    ...rolledBack,
    body: { id: 3, color: '#0000FF' },
    status: 201,
    json: [{ id: 3, color: '#0000FF' }],
  },
  {
    ask: 'POST /lists?select=id,color,uuid',
    ...rolledBack,
    body: [
      { id: 3, color: '#0000FF', uuid: 'hGxP/ZLOTeeNEY4pkp9OxA==' },
      { id: 4, color: '#00FF00', uuid: null },
    ],
    status: 201,
    json: [
      { id: 3, color: '#0000FF', uuid: 'hGxP/ZLOTeeNEY4pkp9OxA==' },
      { id: 4, color: '#00FF00', uuid: null },
    ],
  },
  // Rows with different keys: the default of the column is not JSON.
  {
    ask: 'POST /lists?select=id,color',
    ...rolledBack,
    body: [{ id: 3 }, { id: 4, color: '#00FF00' }],
    status: 201,
    json: [
      { id: 3, color: '#0000FF' },
      { id: 4, color: '#00FF00' },
    ],
  },
  {
    ask: 'POST /lists?select=id,color&columns=id,color',
    ...rolledBack,
    body: [{ id: 3, color: '#0000FF', other: 1 }],
    status: 201,
    json: [{ id: 3, color: '#0000FF' }],
  },
  {
    ask: 'POST /lists?select=id,color',
    headers: { ...rolledBack.headers, 'content-type': 'text/csv' },
    body: 'id,color\n3,#0000FF',
    status: 201,
    json: [{ id: 3, color: '#0000FF' }],
  },
  {
    ask: 'POST /lists?select=id,color',
    headers: { ...rolledBack.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'id=3&color=%230000FF',
    status: 201,
    json: [{ id: 3, color: '#0000FF' }],
  },
  {
    ask: 'POST /lists?select=id,color',
    headers: { prefer: 'return=representation, resolution=merge-duplicates, tx=rollback' },
    body: { id: 1, color: '#0000FF' },
    status: 200,
    json: [{ id: 1, color: '#0000FF' }],
  },
  {
    ask: 'PATCH /lists?select=id,color&color=eq.%23000100',
    ...rolledBack,
    body: { color: '#0000FF' },
    json: [{ id: 1, color: '#0000FF' }],
  },
  {
    ask: 'PATCH /lists?select=id,uuid&id=eq.2&columns=uuid',
    ...rolledBack,
    body: { uuid: 'hGxP/ZLOTeeNEY4pkp9OxA==', other: 1 },
    json: [{ id: 2, uuid: 'hGxP/ZLOTeeNEY4pkp9OxA==' }],
  },
  {
    ask: 'PUT /lists?id=eq.2&select=id,color',
    ...rolledBack,
    body: { id: 2, color: '#0000FF' },
    json: [{ id: 2, color: '#0000FF' }],
  },
  {
    ask: 'PUT /lists?id=eq.9&select=id,color',
    ...rolledBack,
    body: { id: 9, color: '#0000FF' },
    status: 201,
    json: [{ id: 9, color: '#0000FF' }],
  },
  {
    ask: 'DELETE /items?select=id,color&color=eq.%23FFFFFF',
    ...rolledBack,
    json: [{ id: 1, color: '#FFFFFF' }],
  },
  // The answer reads the written row again where it has relations.
  {
    ask: 'POST /items?select=id,color,lists(color)',
    ...rolledBack,
    body: { id: 3, list_id: 1, color: '#0000FF' },
    status: 201,
    json: [{ id: 3, color: '#0000FF', lists: { color: '#000100' } }],
  },
  // Without a cast from JSON the value is one of the type below.
  {
    ask: 'PATCH /lists?select=word,mood&id=eq.2',
    ...rolledBack,
    body: { word: 'quiet', mood: 'happy' },
    json: [{ word: 'QUIET', mood: 'happy' }],
  },
  // What the function refuses, and what the domain refuses.
  {
    ask: 'POST /lists',
    ...returning,
    body: { id: 3, color: '#FF000000' },
    status: 400,
    json: expect.objectContaining({ code: '23514' }) as unknown,
  },
];

const calls: readonly Case[] = [
  {
    ask: '/rpc/brightest?select=id,color&order=id',
    json: [
      { id: 1, color: '#000100' },
      { id: 2, color: '#01E240' },
    ],
  },
  { ask: '/rpc/brightest?select=id&color=eq.%23000100', json: [{ id: 1 }] },
  // Arguments and values of functions are of the type below.
  { ask: 'POST /rpc/painted', body: { color: 7 }, json: 7 },
  { ask: 'POST /rpc/add_list?select=id,color', body: { id: 5 }, ...rolledBack, json: { id: 5, color: '#000007' } },
];

const own: readonly Case[] = [
  {
    ask: '/api/v1/lists?select=id,color&order=id&limit=1',
    json: expect.objectContaining({ data: [{ id: 1, color: 256 }] }) as unknown,
  },
  { ask: '/api/v1/lists?select=id&color=eq.256', json: expect.objectContaining({ data: [{ id: 1 }] }) as unknown },
];

test.each(reads)('reads $ask', (each) => play(mount, each));
test.each(filters)('filters $ask', (each) => play(mount, each));
test.each(writes)('writes $ask', (each) => play(mount, each));
test.each(calls)('calls $ask', (each) => play(mount, each));
test.each(own)('the server’s own form keeps the type below the domain: $ask', (each) => play(mount, each));
