import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

let db: WriteDatabase;
let server: WriteServer;
beforeAll(async () => {
  db = await createWriteDatabase();
  server = await startWriteServer(db);
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

const columns =
  'email,name,mood,tags,scores,profile,raw,home,slot,big,cost,rate,active,uid,due,seen,pause,data,note,share';
const json = { 'content-type': 'application/json', accept: 'text/csv' };

const rows = [
  {
    email: 'x',
    name: 'Quoted, "twice"',
    mood: 'rain soon',
    tags: ['a,b', 'c"d', ''],
    scores: [1, null],
    profile: { a: [1, 'x'] },
    raw: { z: 1, a: 2 },
    home: { street: 'S, "q"', zip: null, floor: 3 },
    slot: { lower: 1, upper: 5 },
    big: 7,
    cost: 1.5,
    rate: 0.25,
    active: true,
    uid: '00000000-0000-0000-0000-00000000000a',
    due: '2024-02-29',
    seen: '2024-01-01T00:00:00.123456Z',
    pause: 'P1DT2H',
    data: '\\x00ff',
    note: '',
    share: 5,
  },
  { email: 'y', name: 'Y', tags: [], scores: [], slot: { empty: true }, note: 'two\nlines' },
];

test('what a write answers as CSV can be sent as CSV', async () => {
  const first = await server.send('POST', `/api/v1/people?select=${columns}`, json, JSON.stringify(rows));
  expect(first.status).toBe(201);
  const [header, ...lines] = first.text.split(/\n(?=[xy],)/);
  expect(header).toBe(columns);
  expect(lines[0]).toBe(
    'x,"Quoted, ""twice""",rain soon,"{""a,b"",""c\\""d"",""""}","{1,NULL}","{""a"": [1, ""x""]}","{""z"":1,""a"":2}",' +
      '"(""S, """"q"""""",,3)","[1,5)",7,1.5,0.25,true,00000000-0000-0000-0000-00000000000a,2024-02-29,2024-01-01T00:00:00.123456+00:00,P1DT2H,\\x00ff,"",5',
  );
  expect(lines[1]).toBe('y,Y,sunny,{},{},{},,,empty,,,,,,,,,,"two\nlines",');

  const before = await db.query(`select ${columns} from ops.people where email in ('x', 'y') order by email`);
  await db.query(`delete from ops.people where email in ('x', 'y')`);
  const csv = { 'content-type': 'text/csv', accept: 'text/csv' };
  const second = await server.send('POST', `/api/v1/people?select=${columns}`, csv, first.text);
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(await db.query(`select ${columns} from ops.people where email in ('x', 'y') order by email`)).toEqual(before);
});

test('an update answers the same form, and so does a read', async () => {
  const update = await server.send(
    'PATCH',
    '/api/v1/people?email=eq.ada@example.org&select=tags,slot',
    json,
    '{"tags":["p"],"slot":"[2,4)"}',
  );
  expect(update.text).toBe('tags,slot\n{p},"[2,4)"');
  const read = await server.send('GET', '/api/v1/people?email=eq.ada@example.org&select=tags,slot', {
    accept: 'text/csv',
  });
  expect(read.text).toBe(update.text);
});

describe('without rows the header line is all', () => {
  const prefer = 'return=representation';
  const rows = 'people?email=eq.nobody@example.org';

  test.each([
    ['columns', 'id,name'],
    ['an alias that needs quotes', '"a,b":name,id'],
    ['a related row', 'name,teams(name)'],
    ['related rows', 'name,tasks(title),points'],
  ])('of %s', async (_, select) => {
    const path = `/api/v1/${rows}&select=${encodeURIComponent(select)}`;
    const read = await server.send('GET', path, { accept: 'text/csv' });
    expect([read.status, read.text]).toEqual([200, select.replace(/\([a-z]+\)|:name/g, '')]);
    const update = await server.send('PATCH', path, { ...json, prefer }, '{"points":1}');
    const unset = await server.send('PATCH', path, { ...json, prefer }, '{}');
    const removal = await server.send('DELETE', path, { ...json, prefer });
    const insert = await server.send('POST', path.replace(/email=[^&]*&/, ''), { ...json, prefer }, '[]');
    expect([update, unset, removal, insert].map(({ text }) => text)).toEqual(Array(4).fill(read.text));
    for (const { headers } of [update, unset, removal, insert])
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  });
});
