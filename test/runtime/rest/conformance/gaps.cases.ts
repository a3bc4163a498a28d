import type { Case } from './case.js';

/** docs/decisions/contract.md: the server's behaviour where the contract says nothing. */
export const gapCases: readonly Case[] = [
  { rules: ['gap parameters'], path: 'issues?nonsense', status: 400, error: { code: 'TW005' } },
  { rules: ['gap parameters'], path: 'issues?=eq.1', status: 400, error: { code: 'TW005' } },
  { rules: ['gap parameters'], path: 'issues?utm_source=mail', status: 400, error: { code: 'TW002' } },
  { rules: ['gap parameters'], path: 'issues?select=id&select=title', status: 400, error: { message: /twice/ } },
  { rules: ['gap parameters'], path: 'issues?limit=1&limit=2', status: 400, error: { message: /twice/ } },
  { rules: ['gap parameters'], path: 'issues?order=', status: 400, error: { code: 'TW005' } },
  { rules: ['gap parameters'], path: 'labels?select=&id=eq.1', rows: [{ id: 1, name: 'bug' }] },
  { rules: ['gap parameters'], path: 'labels/?id=eq.1', rows: [{ id: 1, name: 'bug' }] },

  { rules: ['gap selecting'], path: 'labels?select=id,*,id&id=eq.1', text: page('{"id":1,"name":"bug"}') },
  { rules: ['gap selecting'], path: 'labels?select=*,id::text&id=eq.1', text: page('{"id":"1","name":"bug"}') },
  { rules: ['gap selecting'], path: 'labels?select=id,id::text', status: 400, error: { hint: /alias/ } },
  { rules: ['gap selecting'], path: 'issues?select=...projects(name)', status: 400, error: { code: 'TW017' } },
  {
    rules: ['gap selecting'],
    path: 'issues?id=lt.4&select=id&order=headline',
    rows: [{ id: 3 }, { id: 2 }, { id: 1 }],
  },
  {
    rules: ['gap selecting'],
    path: 'issues?order=comments(id)',
    status: 400,
    error: { code: 'TW005', message: /many/ },
  },
  {
    rules: ['gap selecting'],
    path: 'issues?id=lt.4&select=id&order=projects(name),id',
    rows: [{ id: 3 }, { id: 1 }, { id: 2 }],
  },
  {
    rules: ['gap selecting'],
    path: 'comments?id=eq.1&select=issue_id(title)',
    rows: [{ issue_id: { title: 'Crash on start' } }],
  },

  {
    rules: ['gap filtering'],
    path: 'issues?id=lt.6&title=like(any).%7BCrash*,Slow*%7D&select=id&order=id',
    ids: [1, 2, 5],
  },
  { rules: ['gap filtering'], path: 'issues?id=lt.6&title=like(all).%7BCrash*,*exit*%7D&select=id', ids: [5] },
  {
    rules: ['gap filtering'],
    path: 'issues?id=lt.6&title=not.like(any).%7BCrash*,Slow*%7D&select=id&order=id',
    ids: [3, 4],
  },
  {
    rules: ['gap filtering'],
    path: 'issues?or=(title.eq(any).%7B%22Crash,+again+(on+exit)%22,x%7D,id.eq.1)&select=id&order=id',
    ids: [1, 5],
  },
  { rules: ['gap filtering'], path: 'issues?id=in(any).%7B1%7D', status: 400, error: { code: 'TW004' } },
  { rules: ['gap filtering'], path: 'issues?id=lt.6&points=is.NULL&select=id', rows: [{ id: 4 }] },
  { rules: ['gap filtering'], path: 'issues?id=gt.2&id=lt.5&points=is.not_null&select=id', rows: [{ id: 3 }] },
  {
    rules: ['gap filtering'],
    path: 'issues?id=lt.3&created_at=eq.2024-01-01T00:00+Nowhere/Town',
    status: 500,
    error: { code: '22023' },
  },
  { rules: ['gap filtering'], path: 'issues?id=eq.1&title=eq.a(b', rows: [] },

  {
    rules: ['gap pages'],
    path: 'labels?select=id&order=id',
    headers: { range: 'items=1-1' },
    status: 206,
    rows: [{ id: 2 }],
  },
  {
    rules: ['gap pages'],
    path: 'labels?select=id&order=id',
    headers: { range: '1-' },
    status: 206,
    rows: [{ id: 2 }, { id: 3 }],
  },
  {
    rules: ['gap pages'],
    path: 'labels?limit=1',
    headers: { range: 'bytes=0-9' },
    answers: { 'content-range': undefined },
  },
  {
    rules: ['gap pages'],
    path: 'labels?select=id&order=id&limit=2&offset=1',
    headers: { range: '2-9' },
    status: 206,
    rows: [{ id: 3 }],
    answers: { 'content-range': '2-2/3' },
  },
  {
    rules: ['gap pages'],
    path: 'labels?limit=0',
    headers: { prefer: 'count=planned, count=exact, return=minimal' },
    answers: { 'preference-applied': 'count=planned' },
  },
  { rules: ['gap pages'], path: 'labels?select=id&limit=99999999999999999999&order=id', ids: [1, 2, 3] },

  { rules: ['gap forms'], path: 'labels/1?name=eq.bug&select=id', json: { id: 1 } },
  { rules: ['gap forms'], path: 'labels/1?name=eq.other', status: 404 },
  ...['order=id', 'offset=0'].map((parameter): Case => ({
    rules: ['gap forms'],
    path: `labels/1?${parameter}`,
    status: 400,
    error: { code: 'TW005' },
  })),
  { rules: ['gap forms'], path: 'labels/1', headers: { accept: 'text/csv' }, text: 'id,name\n1,bug' },
  { rules: ['gap forms'], path: 'labels/9', headers: { accept: 'text/csv' }, status: 404 },
  {
    rules: ['gap forms'],
    path: 'labels?limit=0',
    headers: { accept: 'text/csv;q=0.2, application/*;q=0.9' },
    answers: { 'content-type': 'application/json; charset=utf-8' },
  },
  {
    rules: ['gap forms'],
    server: 'verified',
    method: 'OPTIONS',
    path: 'labels',
    headers: { authorization: 'Bearer not.a.token' },
    status: 204,
  },
];

function page(row: string): string {
  return `{"data":[${row}],"pagination":{"limit":30,"offset":0,"total":null}}`;
}
