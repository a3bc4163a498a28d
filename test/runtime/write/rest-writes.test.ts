import type { IncomingHttpHeaders } from 'node:http';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/**
 * A request, its answer, and the content of the table afterwards. Decision 006.
 */
interface Case {
  readonly rule: string;
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly prefer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged. */
  readonly body?: unknown;
  readonly status: number;
  /**
   * The expected body: parsed JSON, or text; `''` for an empty body. When absent, the body is not
   * checked.
   */
  readonly answer?: unknown;
  readonly answerHeaders?: Readonly<Record<string, string | undefined>>;
  /** A query that runs as the superuser, and the expected values of its first column. */
  readonly then?: readonly [sql: string, ...values: unknown[]];
}

const teams = 'select name from ops.teams order by id';

const cases: readonly Case[] = [
  // POST
  {
    rule: 'an object in is an object out, with its defaults',
    method: 'POST',
    path: 'teams',
    body: { name: 'Green' },
    status: 201,
    answer: { id: 3, name: 'Green', size: 1 },
    answerHeaders: { 'content-type': 'application/json; charset=utf-8', 'preference-applied': undefined },
    then: [teams, 'Red', 'Blue', 'Green'],
  },
  {
    rule: 'a list in is a list out, in its order',
    method: 'POST',
    path: 'teams?select=name',
    body: [{ name: 'b' }, { name: 'a' }],
    status: 201,
    answer: [{ name: 'b' }, { name: 'a' }],
  },
  { rule: 'an empty list writes nothing', method: 'POST', path: 'teams', body: [], status: 201, answer: [] },
  {
    rule: 'what is missing in one row takes its default there, in the order of the rows',
    method: 'POST',
    path: 'teams?select=name,size',
    body: [{ name: 'x', size: 7 }, { name: 'y' }, { name: 'z', size: 8 }, { name: 'w' }],
    status: 201,
    answer: [
      { name: 'x', size: 7 },
      { name: 'y', size: 1 },
      { name: 'z', size: 8 },
      { name: 'w', size: 1 },
    ],
  },
  {
    rule: 'missing=null: what is missing is null, and no default',
    method: 'POST',
    path: 'teams',
    prefer: 'missing=null',
    body: [{ name: 'x', size: 7 }, { name: 'y' }],
    status: 400,
    then: [teams, 'Red', 'Blue'],
  },
  {
    rule: 'columns: only these are written; what is missing is null as in PostgREST',
    method: 'POST',
    path: 'prices?columns=product,region,price,note&select=note',
    body: [{ product: 'p', region: 'eu', price: 1, unknown: true }],
    status: 201,
    answer: [{ note: null }],
  },
  {
    rule: 'columns with missing=default',
    method: 'POST',
    path: 'prices?columns=product,region,price,note&select=note',
    prefer: 'missing=default',
    body: [
      { product: 'p', region: 'eu', price: 1 },
      { product: 'q', region: 'eu', price: 1, note: 'n' },
    ],
    status: 201,
    answer: [{ note: 'none' }, { note: 'n' }],
    answerHeaders: { 'preference-applied': 'missing=default' },
  },
  {
    rule: 'every column by default',
    method: 'POST',
    path: 'log?select=line',
    body: [{}, {}],
    status: 201,
    answer: [{ line: null }, { line: null }],
  },
  {
    rule: 'return=minimal',
    method: 'POST',
    path: 'teams',
    prefer: 'return=minimal',
    body: { name: 'Green' },
    status: 204,
    answer: '',
    answerHeaders: { 'preference-applied': 'return=minimal', 'content-type': undefined },
    then: [teams, 'Red', 'Blue', 'Green'],
  },
  {
    rule: 'return=minimal needs no right to read',
    method: 'POST',
    path: 'inbox',
    prefer: 'return=minimal',
    body: { body: 'hello' },
    status: 204,
    then: ['select body from ops.inbox', 'hello'],
  },
  {
    rule: 'return=representation is the default, and is told when it was asked for',
    method: 'POST',
    path: 'teams?select=name',
    prefer: 'return=representation',
    body: { name: 'Green' },
    status: 201,
    answer: { name: 'Green' },
    answerHeaders: { 'preference-applied': 'return=representation' },
  },
  {
    rule: 'return=headers-only: the path of the row',
    method: 'POST',
    path: 'teams',
    prefer: 'return=headers-only',
    body: { name: 'Green' },
    status: 201,
    answer: '',
    answerHeaders: { location: '/api/v1/teams/3', 'preference-applied': 'return=headers-only' },
  },
  {
    rule: 'return=headers-only of a composite key',
    method: 'POST',
    path: 'prices',
    prefer: 'return=headers-only',
    body: { product: 'a b', region: 'x/y', price: 1 },
    status: 201,
    answerHeaders: { location: '/api/v1/prices?product=eq.a%20b&region=eq.x%2Fy' },
  },
  {
    rule: 'return=headers-only of several rows',
    method: 'POST',
    path: 'teams',
    prefer: 'return=headers-only',
    body: [{ name: 'A' }, { name: 'B' }],
    status: 201,
    answerHeaders: { location: '/api/v1/teams?id=in.(3,4)' },
  },
  {
    rule: 'tx=rollback answers what would be, and keeps nothing',
    method: 'POST',
    path: 'teams?select=name',
    prefer: 'tx=rollback',
    body: { name: 'Green' },
    status: 201,
    answer: { name: 'Green' },
    answerHeaders: { 'preference-applied': 'tx=rollback' },
    then: [teams, 'Red', 'Blue'],
  },
  {
    rule: 'tx=commit',
    method: 'POST',
    path: 'teams?select=name',
    prefer: 'tx=commit',
    body: { name: 'Green' },
    status: 201,
    answerHeaders: { 'preference-applied': 'tx=commit' },
    then: [teams, 'Red', 'Blue', 'Green'],
  },
  {
    rule: 'a relation in select is read back, with what a trigger wrote',
    method: 'POST',
    path: 'people?select=name,teams(name,counters(people))',
    body: { name: 'Barbara', email: 'b@example.org', team_id: 2 },
    status: 201,
    answer: { name: 'Barbara', teams: { name: 'Blue', counters: { people: 2 } } },
  },
  {
    rule: 'values of every kind',
    method: 'POST',
    path: 'people?select=mood,tags,scores,profile,raw,home,slot,big,cost,rate,active,uid,due,seen,pause,data,note,share,label',
    body: '{"name":"Kim","email":"k","mood":"rain soon","tags":["a,b","c\\"d"],"scores":[1,null],"profile":{"a":[1,"x"]},"raw":{"z":1,"a":2},"home":{"street":"S, \\"q\\"","zip":"1","floor":3},"slot":{"lower":1,"upper":5},"big":9007199254740993,"cost":0.10000000000000000001,"rate":1.5,"active":true,"uid":"00000000-0000-0000-0000-00000000000A","due":"2024-02-29","seen":"2024-01-01T00:00:00.123456+02:00","pause":"P1DT2H","data":"\\\\x00ff","note":"n","share":5}',
    status: 201,
    answer:
      '{"mood":"rain soon","tags":["a,b","c\\"d"],"scores":[1,null],"profile":{"a": [1, "x"]},"raw":{"z":1,"a":2},"home":{"street":"S, \\"q\\"","zip":"1","floor":3},"slot":{"lower":1,"upper":5,"lowerInclusive":true,"upperInclusive":false,"empty":false},"big":9007199254740993,"cost":0.10000000000000000001,"rate":1.5,"active":true,"uid":"00000000-0000-0000-0000-00000000000a","due":"2024-02-29","seen":"2023-12-31T22:00:00.123456+00:00","pause":"P1DT2H","data":"\\\\x00ff","note":"n","share":5,"label":"KIM"}',
  },
  {
    rule: 'digits survive without conversions too',
    method: 'POST',
    path: 'people?select=big,cost',
    body: '{"name":"Kim","email":"k","big":9007199254740993,"cost":12345678901234567890.123}',
    status: 201,
    answer: '{"big":9007199254740993,"cost":12345678901234567890.123}',
  },
  {
    rule: 'CSV: an unquoted nothing and NULL are null, a quoted nothing is the empty text',
    method: 'POST',
    path: 'prices?select=product,price,note',
    headers: { 'content-type': 'text/csv' },
    body: 'product,region,price,note\n"p,1",eu,1.50,\np2,eu,2,NULL\np3,eu,3,""\np4,eu,4,"say ""hi"""\n',
    status: 201,
    answer: [
      { product: 'p,1', price: 1.5, note: null },
      { product: 'p2', price: 2, note: null },
      { product: 'p3', price: 3, note: '' },
      { product: 'p4', price: 4, note: 'say "hi"' },
    ],
  },
  {
    rule: 'CSV out',
    method: 'POST',
    path: 'teams?select=name,size',
    headers: { accept: 'text/csv' },
    body: [{ name: 'A' }],
    status: 201,
    answer: 'name,size\nA,1',
    answerHeaders: { 'content-type': 'text/csv; charset=utf-8' },
  },
  {
    rule: 'a row of a partitioned table, and an upsert of it',
    method: 'POST',
    path: 'events?select=body',
    prefer: 'resolution=merge-duplicates',
    body: [
      { id: 1, region: 'eu', body: 'changed' },
      { id: 1, region: 'us', body: 'new' },
    ],
    status: 201,
    answer: [{ body: 'changed' }, { body: 'new' }],
  },
  {
    rule: 'through a view',
    method: 'POST',
    path: 'cheap',
    body: { product: 'nut', region: 'eu', price: 1 },
    status: 201,
    answer: { product: 'nut', region: 'eu', price: 1 },
  },
  {
    rule: 'a view that takes none',
    method: 'POST',
    path: 'totals',
    body: { n: 1 },
    status: 405,
    answerHeaders: { allow: 'GET, HEAD, OPTIONS' },
  },
  // Upserts
  {
    rule: 'merge by the primary key',
    method: 'POST',
    path: 'teams',
    prefer: 'resolution=merge-duplicates',
    body: { id: 1, name: 'Crimson' },
    status: 200,
    answer: { id: 1, name: 'Crimson', size: 2 },
    answerHeaders: { 'preference-applied': 'resolution=merge-duplicates' },
  },
  {
    rule: 'merge by a unique key',
    method: 'POST',
    path: 'teams',
    prefer: 'resolution=merge-duplicates',
    body: { name: 'Red', size: 9 },
    status: 200,
    answer: { id: 1, name: 'Red', size: 9 },
  },
  {
    rule: 'merge by the unique key that is in the way, when the primary key is not',
    method: 'POST',
    path: 'teams',
    prefer: 'resolution=merge-duplicates',
    body: { id: 50, name: 'Red', size: 9 },
    status: 200,
    answer: { id: 1, name: 'Red', size: 9 },
  },
  {
    rule: 'the key that the client chooses',
    method: 'POST',
    path: 'teams?on_conflict=name',
    prefer: 'resolution=merge-duplicates',
    body: [
      { name: 'Red', size: 9 },
      { name: 'New', size: 1 },
    ],
    status: 201,
    answer: [
      { id: 1, name: 'Red', size: 9 },
      { id: 4, name: 'New', size: 1 },
    ],
  },
  {
    rule: 'the chosen key is the only one',
    method: 'POST',
    path: 'teams?on_conflict=id',
    prefer: 'resolution=merge-duplicates',
    body: { id: 50, name: 'Red' },
    status: 409,
  },
  {
    rule: 'no unique key on the chosen columns',
    method: 'POST',
    path: 'teams?on_conflict=size',
    prefer: 'resolution=merge-duplicates',
    body: { name: 'A' },
    status: 400,
  },
  {
    rule: 'merging keeps what a row does not have',
    method: 'POST',
    path: 'teams?on_conflict=name&select=name,size',
    prefer: 'resolution=merge-duplicates',
    body: [{ name: 'Blue' }, { name: 'Red', size: 9 }],
    status: 200,
    answer: [
      { name: 'Blue', size: 3 },
      { name: 'Red', size: 9 },
    ],
  },
  {
    rule: 'merge of a row that is its key alone answers the row that is there',
    method: 'POST',
    path: 'teams?on_conflict=name',
    prefer: 'resolution=merge-duplicates',
    body: { name: 'Blue' },
    status: 200,
    answer: { id: 2, name: 'Blue', size: 3 },
  },
  {
    rule: 'ignore-duplicates answers what was inserted',
    method: 'POST',
    path: 'teams?select=name,size',
    prefer: 'resolution=ignore-duplicates',
    body: [
      { name: 'Red', size: 9 },
      { name: 'New', size: 4 },
    ],
    status: 201,
    answer: [{ name: 'New', size: 4 }],
    then: ["select size from ops.teams where name = 'Red'", 2],
  },
  {
    rule: 'ignore-duplicates of everything',
    method: 'POST',
    path: 'teams',
    prefer: 'resolution=ignore-duplicates',
    body: [{ name: 'Red' }],
    status: 200,
    answer: [],
  },
  {
    rule: 'the same row twice in a merge',
    method: 'POST',
    path: 'teams?on_conflict=name',
    prefer: 'resolution=merge-duplicates',
    body: [{ name: 'A' }, { name: 'A' }],
    status: 400,
    then: [teams, 'Red', 'Blue'],
  },
  {
    rule: 'without a preference a conflict is a conflict',
    method: 'POST',
    path: 'teams',
    body: { name: 'Red' },
    status: 409,
  },
  {
    rule: 'one object that is passed over is answered null',
    method: 'POST',
    path: 'teams',
    prefer: 'resolution=ignore-duplicates',
    body: { name: 'Red' },
    status: 200,
    answer: null,
  },
  // Constraints that are checked at the end
  {
    rule: 'a deferred constraint that holds at the end',
    method: 'POST',
    path: 'links?select=id',
    body: [
      { id: 1, next: 2 },
      { id: 2, next: null },
    ],
    status: 201,
    answer: [{ id: 1 }, { id: 2 }],
  },
  {
    rule: 'a deferred constraint that does not',
    method: 'POST',
    path: 'links',
    body: { id: 1, next: 99 },
    status: 409,
    then: ['select id from ops.links'],
  },
  {
    rule: 'a deferred constraint that does not, in a transaction of several steps',
    method: 'POST',
    path: 'links',
    prefer: 'max-affected=1',
    body: { id: 1, next: 99 },
    status: 409,
    then: ['select id from ops.links'],
  },
  {
    rule: 'a dry run checks what is deferred, too',
    method: 'POST',
    path: 'links',
    prefer: 'tx=rollback',
    body: { id: 1, next: 99 },
    status: 409,
    then: ['select id from ops.links'],
  },
  // PATCH
  {
    rule: 'PATCH changes what is given in the rows that match',
    method: 'PATCH',
    path: 'people?points=gte.20&select=name,points',
    body: { points: 5 },
    status: 200,
    answer: [
      { name: 'Grace', points: 5 },
      { name: 'Edsger', points: 5 },
    ],
    then: ['select points from ops.people order by id', 10, 5, 5],
  },
  { rule: 'PATCH of no row', method: 'PATCH', path: 'people?id=eq.999', body: { points: 5 }, status: 200, answer: [] },
  { rule: 'PATCH of nothing', method: 'PATCH', path: 'people?id=eq.1', body: {}, status: 200, answer: [] },
  {
    rule: 'PATCH to null',
    method: 'PATCH',
    path: 'people?id=eq.1&select=team_id',
    body: { team_id: null },
    status: 200,
    answer: [{ team_id: null }],
  },
  {
    rule: 'PATCH with or',
    method: 'PATCH',
    path: 'people?or=(id.eq.1,name.eq.Edsger)&select=id',
    body: { points: 0 },
    status: 200,
    answer: [{ id: 1 }, { id: 3 }],
  },
  {
    rule: 'PATCH without a filter',
    method: 'PATCH',
    path: 'people',
    body: { points: 0 },
    status: 400,
    then: ['select points from ops.people order by id', 10, 20, 30],
  },
  {
    rule: 'PATCH with minimal',
    method: 'PATCH',
    path: 'people?id=eq.1',
    prefer: 'return=minimal',
    body: { points: 0 },
    status: 204,
    answer: '',
  },
  {
    rule: 'PATCH with columns',
    method: 'PATCH',
    path: 'people?id=eq.1&columns=points&select=name,points',
    body: { points: 3, name: 'ignored' },
    status: 200,
    answer: [{ name: 'Ada', points: 3 }],
  },
  {
    rule: 'PATCH with a page',
    method: 'PATCH',
    path: 'people?id=gt.0&limit=1',
    body: { points: 0 },
    status: 400,
    then: ['select points from ops.people order by id', 10, 20, 30],
  },
  { rule: 'PATCH of a list', method: 'PATCH', path: 'people?id=eq.1', body: [{ points: 0 }], status: 400 },
  {
    rule: 'PATCH within max-affected',
    method: 'PATCH',
    path: 'people?id=gt.0&select=id',
    prefer: 'max-affected=3',
    body: { points: 0 },
    status: 200,
    answerHeaders: { 'preference-applied': 'max-affected=3' },
  },
  {
    rule: 'PATCH beyond max-affected writes nothing',
    method: 'PATCH',
    path: 'people?id=gt.0',
    prefer: 'max-affected=2',
    body: { points: 0 },
    status: 400,
    then: ['select points from ops.people order by id', 10, 20, 30],
  },
  {
    rule: 'PATCH as a dry run',
    method: 'PATCH',
    path: 'people?id=eq.1&select=points',
    prefer: 'tx=rollback',
    body: { points: 0 },
    status: 200,
    answer: [{ points: 0 }],
    then: ['select points from ops.people where id = 1', 10],
  },
  {
    rule: 'PATCH with a count',
    method: 'PATCH',
    path: 'people?id=gt.1',
    prefer: 'count=exact, return=minimal',
    body: { points: 0 },
    status: 204,
    answerHeaders: { 'content-range': '*/2', 'preference-applied': 'return=minimal, count=exact' },
  },
  {
    rule: 'PATCH of a single object',
    method: 'PATCH',
    path: 'people?id=eq.1&select=id',
    headers: { accept: 'application/vnd.pgrst.object+json' },
    body: { points: 0 },
    status: 200,
    answer: { id: 1 },
  },
  {
    rule: 'PATCH of a single object that is several writes nothing',
    method: 'PATCH',
    path: 'people?id=gt.1&select=id',
    headers: { accept: 'application/vnd.pgrst.object+json' },
    body: { points: 0 },
    status: 406,
    then: ['select points from ops.people order by id', 10, 20, 30],
  },
  {
    rule: 'PATCH with !inner',
    method: 'PATCH',
    path: 'people?id=eq.1&select=id,teams!inner(name)',
    body: { points: 0 },
    status: 400,
  },
  {
    rule: 'PATCH through a view whose rows it would leave',
    method: 'PATCH',
    path: 'cheap?product=eq.tea&region=eq.eu',
    body: { price: 500 },
    status: 400,
  },
  {
    rule: 'PATCH reads back what relations are now',
    method: 'PATCH',
    path: 'people?id=eq.1&select=teams(name),tasks(title)',
    body: { team_id: 2 },
    status: 200,
    answer: [{ teams: { name: 'Blue' }, tasks: [{ title: 'First' }, { title: 'Second' }] }],
  },
  {
    rule: 'PATCH of the key is read back by the new key',
    method: 'PATCH',
    path: 'teams?id=eq.2&select=id,people(name)',
    body: { name: 'Bluer' },
    status: 200,
    answer: [{ id: 2, people: [{ name: 'Edsger' }] }],
  },
  // PUT
  {
    rule: 'PUT replaces the row',
    method: 'PUT',
    path: 'teams?id=eq.1',
    body: { name: 'Crimson', size: 4 },
    status: 200,
    answer: [{ id: 1, name: 'Crimson', size: 4 }],
  },
  {
    rule: 'PUT inserts the row that is not there',
    method: 'PUT',
    path: 'teams?id=eq.77',
    body: { id: 77, name: 'New', size: 4 },
    status: 201,
    answer: [{ id: 77, name: 'New', size: 4 }],
  },
  {
    rule: 'PUT of a composite key',
    method: 'PUT',
    path: 'prices?product=eq.tea&region=eq.eu',
    body: { price: 9, note: null },
    status: 200,
    answer: [{ product: 'tea', region: 'eu', price: 9, note: null }],
  },
  {
    rule: 'PUT of a row that is its key',
    method: 'PUT',
    path: 'members?team_id=eq.1&person_id=eq.1',
    body: {},
    status: 201,
    answer: [{ team_id: 1, person_id: 1 }],
  },
  {
    rule: 'PUT without a column',
    method: 'PUT',
    path: 'teams?id=eq.1',
    body: { name: 'Crimson' },
    status: 400,
    answer: expect.objectContaining({ message: 'The body lacks "size".' }),
  },
  {
    rule: 'PUT with another key in its body',
    method: 'PUT',
    path: 'teams?id=eq.1',
    body: { id: 2, name: 'C', size: 1 },
    status: 400,
  },
  {
    rule: 'PUT by something else than the key',
    method: 'PUT',
    path: 'teams?name=eq.Red',
    body: { name: 'C', size: 1 },
    status: 400,
  },
  {
    rule: 'PUT by a part of the key',
    method: 'PUT',
    path: 'prices?product=eq.tea',
    body: { price: 9, note: null },
    status: 400,
  },
  {
    rule: 'PUT with a filter beside the key',
    method: 'PUT',
    path: 'teams?id=eq.1&size=eq.2',
    body: { name: 'C', size: 1 },
    status: 400,
  },
  { rule: 'PUT without a filter', method: 'PUT', path: 'teams', body: { name: 'C', size: 1 }, status: 400 },
  {
    rule: 'PUT of a key that only the database gives',
    method: 'PUT',
    path: 'tickets?id=eq.5',
    body: { title: 'T' },
    status: 404,
  },
  {
    rule: 'PUT with minimal',
    method: 'PUT',
    path: 'teams?id=eq.1',
    prefer: 'return=minimal',
    body: { name: 'C', size: 1 },
    status: 204,
    answer: '',
  },
  {
    rule: 'PUT as a dry run',
    method: 'PUT',
    path: 'teams?id=eq.78&select=id',
    prefer: 'tx=rollback',
    body: { name: 'New', size: 4 },
    status: 201,
    answer: [{ id: 78 }],
    then: [teams, 'Red', 'Blue'],
  },
  // DELETE
  {
    rule: 'DELETE answers the rows that were there',
    method: 'DELETE',
    path: 'tasks?person_id=eq.1&select=title',
    status: 200,
    answer: [{ title: 'First' }, { title: 'Second' }],
    then: ['select title from ops.tasks', 'Third'],
  },
  {
    rule: 'DELETE with the relations that were there',
    method: 'DELETE',
    path: 'people?id=eq.1&select=name,tasks(title),teams(name)',
    status: 200,
    answer: [{ name: 'Ada', tasks: [{ title: 'First' }, { title: 'Second' }], teams: { name: 'Red' } }],
  },
  { rule: 'DELETE of no row', method: 'DELETE', path: 'tasks?id=eq.999', status: 200, answer: [] },
  {
    rule: 'DELETE without a filter',
    method: 'DELETE',
    path: 'tasks',
    status: 400,
    then: ['select count(*)::int from ops.tasks', 3],
  },
  {
    rule: 'DELETE with minimal',
    method: 'DELETE',
    path: 'tasks?id=eq.1',
    prefer: 'return=minimal',
    status: 204,
    answer: '',
  },
  {
    rule: 'DELETE as a dry run',
    method: 'DELETE',
    path: 'tasks?id=eq.1&select=id',
    prefer: 'tx=rollback',
    status: 200,
    answer: [{ id: 1 }],
    then: ['select count(*)::int from ops.tasks', 3],
  },
  {
    rule: 'DELETE beyond max-affected',
    method: 'DELETE',
    path: 'tasks?id=gt.0',
    prefer: 'max-affected=2',
    status: 400,
    then: ['select count(*)::int from ops.tasks', 3],
  },
  { rule: 'DELETE from a table without a key', method: 'DELETE', path: 'log?line=eq.x', status: 200, answer: [] },
  // What is not there
  {
    rule: 'a write to a row by its path',
    method: 'DELETE',
    path: 'teams/1',
    status: 405,
    answerHeaders: { allow: 'GET, HEAD, OPTIONS' },
  },
  { rule: 'an unknown table', method: 'POST', path: 'nope', body: {}, status: 404 },
  {
    rule: 'handling=strict',
    method: 'POST',
    path: 'teams',
    prefer: 'handling=strict, nope=1',
    body: { name: 'A' },
    status: 400,
    then: [teams, 'Red', 'Blue'],
  },
];

let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase();
  server = await startWriteServer(db);
});
beforeEach(() => db.restore());
afterAll(async () => {
  await server.stop();
  await db.drop();
});

test.each(cases)('$method: $rule', async (each) => {
  const type = each.body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...type, ...(each.prefer === undefined ? {} : { prefer: each.prefer }), ...each.headers };
  const body = each.body === undefined || typeof each.body === 'string' ? each.body : JSON.stringify(each.body);
  const reply = await server.send(each.method, `/api/v1/${each.path}`, headers, body);
  expect({ status: reply.status, text: reply.status === each.status ? '' : reply.text }).toEqual({
    status: each.status,
    text: '',
  });
  if (each.answer !== undefined) {
    expect(typeof each.answer === 'string' ? reply.text : (JSON.parse(reply.text) as unknown)).toEqual(each.answer);
  }
  expect(pick(reply.headers, Object.keys(each.answerHeaders ?? {}))).toEqual(each.answerHeaders ?? {});
  if (each.then !== undefined) {
    const [sql, ...values] = each.then;
    expect((await db.query(sql)).map((row) => Object.values(row)[0])).toEqual(values);
  }
});

test('Allow names what a table takes', async () => {
  const allowOf = async (path: string): Promise<string | undefined> =>
    (await server.send('OPTIONS', `/api/v1/${path}`)).headers.allow;
  expect(await allowOf('teams')).toBe('GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS');
  expect(await allowOf('log')).toBe('GET, HEAD, POST, PATCH, DELETE, OPTIONS');
  expect(await allowOf('totals')).toBe('GET, HEAD, OPTIONS');
});

test('several schemas need the header Content-Profile', async () => {
  const several = await startWriteServer(db, { environment: { APP_SCHEMAS: 'ops,public' } });
  const post = (headers: Readonly<Record<string, string>>) =>
    several.send(
      'POST',
      '/api/v1/teams?select=name',
      { 'content-type': 'application/json', ...headers },
      '{"name":"A"}',
    );
  try {
    expect((await post({})).status).toBe(404);
    expect((await post({ 'accept-profile': 'ops' })).status).toBe(404);
    expect((await post({ 'content-profile': 'nope' })).status).toBe(404);
    const reply = await post({ 'content-profile': 'ops' });
    expect([reply.status, reply.headers['content-profile']]).toEqual([201, 'ops']);
  } finally {
    await several.stop();
  }
});

test('unfiltered writes are allowed by a setting', async () => {
  const allowing = await startWriteServer(db, { environment: { APP_REST_ALLOW_UNFILTERED_WRITES: 'true' } });
  try {
    const reply = await allowing.send('DELETE', '/api/v1/tasks?select=id');
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, [{ id: 1 }, { id: 2 }, { id: 3 }]]);
  } finally {
    await allowing.stop();
  }
});

const pick = (headers: IncomingHttpHeaders, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, headers[name]]));
