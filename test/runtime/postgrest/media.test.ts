import { play, startMount, type Case, type Mount } from './support/mount.js';

const sql = `
create domain "text/plain" as text;
create domain "text/html" as text;
create domain "text/xml" as xml;
create domain "text/csv" as text;
create domain "application/octet-stream" as bytea;
create domain "image/png" as bytea;
create domain "application/vnd.own+json" as json;
create domain "*/*" as bytea;
create table items (id int primary key, name text, note text);
insert into items values (1, 'one', null), (2, 'two', 'n');
create function plain() returns "text/plain" language sql stable as $$ select 'a "plain" text'::"text/plain" $$;
create function page(title text) returns "text/html" language sql volatile as $$ select ('<h1>' || title || '</h1>')::"text/html" $$;
create function a_document() returns "text/xml" language sql stable as $$ select '<a>1</a>'::xml::"text/xml" $$;
create function sheet() returns "text/csv" language sql stable as $$ select E'x;y\\n1;2'::"text/csv" $$;
create function bytes() returns "application/octet-stream" language sql stable as $$ select '\\x616263'::bytea::"application/octet-stream" $$;
create function picture() returns "image/png" language sql stable as $$ select '\\x89504e47'::bytea::"image/png" $$;
create function own() returns "application/vnd.own+json" language sql stable as $$ select '{"own": 1}'::json::"application/vnd.own+json" $$;
create function anything() returns "*/*" language sql stable as $$ select 'any'::bytea::"*/*" $$;
create function missing() returns "text/plain" language sql stable as $$ select null::"text/plain" $$;
create function ordinary() returns text language sql stable as $$ select 'x' $$;
create function item() returns items language sql stable as $$ select * from items where id = 1 $$;
`;

let mount: Mount;

beforeAll(async () => {
  mount = await startMount('media', sql);
});
afterAll(() => mount.stop());

const accept = (type: string): Pick<Case, 'headers'> => ({ headers: { accept: type } });
const type = (name: string): Pick<Case, 'has'> => ({ has: { 'content-type': name } });
const json = type('application/json; charset=utf-8');
const refused = { status: 406, json: expect.objectContaining({ code: 'PGRST107' }) as unknown };

const raw: readonly Case[] = [
  {
    ask: '/rpc/plain',
    ...accept('text/plain'),
    text: 'a "plain" text',
    has: { 'content-type': 'text/plain; charset=utf-8', 'content-range': '0-0/*' },
  },
  { ask: 'HEAD /rpc/plain', ...accept('text/plain'), text: '', ...type('text/plain; charset=utf-8') },
  { ask: 'POST /rpc/page', body: { title: 'T' }, ...accept('text/html'), text: '<h1>T</h1>', ...type('text/html') },
  {
    ask: '/rpc/page?title=T',
    ...accept('text/html,application/xhtml+xml,*/*;q=0.8'),
    text: '<h1>T</h1>',
    ...type('text/html'),
  },
  { ask: '/rpc/a_document', ...accept('text/xml'), text: '<a>1</a>', ...type('text/xml; charset=utf-8') },
  { ask: '/rpc/sheet', ...accept('text/csv'), text: 'x;y\n1;2', ...type('text/csv; charset=utf-8') },
  { ask: '/rpc/bytes', ...accept('application/octet-stream'), text: 'abc', ...type('application/octet-stream') },
  { ask: '/rpc/own', ...accept('application/vnd.own+json'), json: { own: 1 }, ...type('application/vnd.own+json') },
  { ask: '/rpc/anything', text: 'any', ...type('application/octet-stream') },
  { ask: '/rpc/anything', ...accept('text/html'), text: 'any', ...type('application/octet-stream') },
  { ask: '/rpc/missing', ...accept('text/plain'), text: '', ...type('text/plain; charset=utf-8') },
  {
    ask: '/rpc/plain',
    ...accept('application/json;q=0.5, text/plain'),
    text: 'a "plain" text',
    ...type('text/plain; charset=utf-8'),
  },
];

const others: readonly Case[] = [
  // Only its own type is raw.
  { ask: '/rpc/plain', text: '"a \\"plain\\" text"', ...json },
  { ask: '/rpc/plain', ...accept('*/*'), text: '"a \\"plain\\" text"', ...json },
  { ask: '/rpc/plain', ...accept('application/json'), text: '"a \\"plain\\" text"', ...json },
  { ask: '/rpc/bytes', text: '"\\\\x616263"', ...json },
  { ask: '/rpc/plain', ...accept('text/html'), ...refused },
  { ask: '/rpc/picture', ...accept('image/jpeg'), ...refused },
  { ask: '/rpc/ordinary', ...accept('text/plain'), ...refused },
  { ask: '/items', ...accept('text/plain'), ...refused },
  { ask: '/items', ...accept('application/octet-stream'), ...refused },
];

const stripped = 'application/vnd.pgrst.array+json;nulls=stripped';
const strippedObject = 'application/vnd.pgrst.object+json;nulls=stripped';
const asArray = type(`${stripped}; charset=utf-8`);
const asObject = type(`${strippedObject}; charset=utf-8`);
const rows = (of: string): Pick<Case, 'headers'> => ({
  headers: { accept: of, prefer: 'return=representation, tx=rollback' },
});
const nulls: readonly Case[] = [
  {
    ask: '/items?order=id',
    ...accept(stripped),
    json: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two', note: 'n' },
    ],
    ...asArray,
  },
  { ask: '/items?id=eq.1', ...accept(strippedObject), json: { id: 1, name: 'one' }, ...asObject },
  { ask: '/rpc/item', ...accept(stripped), json: { id: 1, name: 'one' }, ...asArray },
  { ask: 'POST /items', body: { id: 3 }, ...rows(stripped), status: 201, json: [{ id: 3 }], ...asArray },
  { ask: 'POST /items', body: { id: 3 }, ...rows(strippedObject), status: 201, json: { id: 3 }, ...asObject },
  { ask: 'PATCH /items?id=eq.2', body: { note: null }, ...rows(stripped), json: [{ id: 2, name: 'two' }], ...asArray },
  { ask: 'DELETE /items?id=eq.1', ...rows(stripped), json: [{ id: 1, name: 'one' }], ...asArray },
  {
    ask: 'PUT /items?id=eq.1',
    body: { id: 1, name: null, note: 'x' },
    ...rows(stripped),
    json: [{ id: 1, note: 'x' }],
    ...asArray,
  },
];

describe.each(Object.entries({ raw, others, nulls }))('%s', (_, cases) => {
  test.each(cases)('$ask $headers', (each) => play(mount, each));
});
