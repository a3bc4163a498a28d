import type { Case } from './case.js';

/** Selected columns, forms of answers and schemas: decisions 006 and 007. */
export const representationCases: readonly Case[] = [
  {
    rules: ['D6 row', '4.1 GET /{table}/{id}'],
    path: 'users/2',
    text: '{"id":2,"name":"Grace","email":"grace@example.org"}',
    answers: { 'content-type': 'application/json; charset=utf-8', 'content-range': undefined },
  },
  { rules: ['D6 row', '4.1 GET /{table}/{id}'], path: 'users/2?select=name', json: { name: 'Grace' } },
  { rules: ['D6 row'], path: 'users/99', status: 404, error: { code: 'TW008' } },
  {
    rules: ['D6 row', '4.1 GET /{table}/{id}'],
    path: 'issue_labels/1',
    status: 404,
    error: { code: 'TW008', message: /primary key/ },
  },
  { rules: ['D6 row'], path: 'open_issues/1', json: { id: 1, title: 'Crash on start', status: 'open' } },
  { rules: ['D6 row'], path: 'open_issues/3', status: 404, error: { code: 'TW008' } },
  { rules: ['D6 row'], path: 'totals/1', status: 404, error: { code: 'TW008' } },
  { rules: ['D6 row', 'D6 column value'], path: 'users/abc', status: 500, error: { code: '22P02' } },
  { rules: ['D6 row'], path: 'users/1?limit=1', status: 400, error: { code: 'TW005' } },
  { rules: ['D6 row'], path: 'users/1/more', status: 404, error: { code: 'TW008' } },
  {
    rules: ['4.1 HEAD /{table}', 'D6 HEAD'],
    method: 'HEAD',
    path: 'users?order=id',
    headers: { prefer: 'count=exact' },
    text: '',
    answers: { 'content-range': '0-2/3', 'content-type': 'application/json; charset=utf-8' },
    check: ({ headers }) => {
      expect(headers['content-length']).toMatch(/^[1-9]\d+$/);
    },
  },
  { rules: ['D6 HEAD'], method: 'HEAD', path: 'users/99', status: 404, text: '' },
  {
    rules: ['D6 OPTIONS'],
    method: 'OPTIONS',
    path: 'users',
    status: 204,
    text: '',
    answers: { allow: 'GET, HEAD, POST, PATCH, PUT, DELETE, OPTIONS' },
  },
  {
    rules: ['D6 OPTIONS'],
    method: 'OPTIONS',
    path: 'totals',
    status: 204,
    text: '',
    answers: { allow: 'GET, HEAD, OPTIONS' },
  },
  { rules: ['D6 OPTIONS'], server: 'several', method: 'OPTIONS', path: 'users', status: 204, text: '' },
  { rules: ['D6 OPTIONS', 'D6 unknown table'], method: 'OPTIONS', path: 'nowhere', status: 404 },
  {
    rules: ['D6 OpenAPI'],
    path: '/api/v1',
    check: ({ text }) => {
      expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', paths: { '/users': {}, '/open_issues/{id}': {} } });
    },
  },
  { rules: ['D6 OpenAPI'], path: '/api/v1/', answers: { 'content-type': 'application/json; charset=utf-8' } },
  {
    rules: ['D6 text/csv'],
    path: 'users?order=id',
    headers: { accept: 'text/csv' },
    text: 'id,name,email\n1,Ada,ada@example.org\n2,Grace,grace@example.org\n3,Edsger,',
    answers: { 'content-type': 'text/csv; charset=utf-8' },
  },
  {
    rules: ['D6 text/csv'],
    path: 'issues?select=title,labels&id=in.(4,5)&order=id',
    headers: { accept: 'text/html;q=0.1, text/*' },
    text: 'title,labels\nAdd dark_mode,"{ui,""needs, design""}"\n"Crash, again (on exit)",{bug}',
  },
  {
    rules: ['D6 text/csv'],
    path: 'issues?select=id,slot,metadata,projects(name,issues(labels))&id=eq.5&projects.issues.id=eq.5',
    headers: { accept: 'text/csv' },
    text: 'id,slot,metadata,projects\n5,empty,"{""tags"": [], ""nested"": {""a"": {""b"": [10, 20]}}, ""browser"": ""firefox""}","{""name"":""Website"",""issues"":[{""labels"":[""bug""]}]}"',
  },
  {
    rules: ['D6 single object'],
    path: 'users?id=eq.1&select=id,name',
    headers: { accept: 'application/vnd.pgrst.object+json' },
    text: '{"id":1,"name":"Ada"}',
    answers: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
  },
  ...['users', 'users?id=eq.99'].map((path): Case => ({
    rules: ['D6 single object'],
    path,
    headers: { accept: 'application/vnd.pgrst.object+json' },
    status: 406,
    error: { code: 'TW010' },
  })),
  { rules: ['D6 text/csv'], path: 'users', headers: { accept: 'image/png' }, status: 406, error: { code: 'TW010' } },
  {
    rules: ['D6 handling', 'D6 Preference-Applied'],
    path: 'users?limit=1&select=id',
    headers: { prefer: 'handling=strict, count=exact' },
    answers: { 'preference-applied': 'count=exact, handling=strict', 'content-range': '0-0/3' },
  },
  {
    rules: ['D6 handling'],
    path: 'users',
    headers: { prefer: 'handling=strict, colour=blue' },
    status: 400,
    error: { code: 'TW005', message: /colour=blue/ },
  },
  {
    rules: ['D6 handling', 'D6 Preference-Applied'],
    path: 'users?limit=0',
    headers: { prefer: 'handling=lenient, colour=blue' },
    answers: { 'preference-applied': 'handling=lenient' },
  },

  {
    rules: ['D6 select alias'],
    path: 'users?id=eq.1&select=key:id,%22full name%22:name'.replace(' ', '%20'),
    text: '{"data":[{"key":1,"full name":"Ada"}],"pagination":{"limit":30,"offset":0,"total":null}}',
  },
  {
    rules: ['D6 select cast'],
    path: 'issues?id=eq.1&select=id::text,x:views::text',
    rows: [{ id: '1', x: '9007199254740993' }],
  },
  { rules: ['D6 select cast'], path: 'issues?select=id::nonsense', status: 400, error: {} },
  {
    rules: ['D6 select path'],
    path: 'issues?id=eq.1&select=metadata->size,metadata->size->>w,second:metadata->tags->1,metadata->tags->-1,raw->>a',
    rows: [{ size: { w: 10 }, w: '10', second: 'b', tags: 'b', a: '2' }],
  },
  {
    rules: ['D6 select path'],
    path: 'issues?metadata->>browser=eq.firefox&select=id&order=id',
    rows: [{ id: 1 }, { id: 5 }],
  },
  { rules: ['D6 select path'], path: 'issues?metadata->nested->a->b->0=eq.10&select=id', rows: [{ id: 5 }] },
  {
    rules: ['D6 embedding'],
    path: 'issues?id=eq.1&select=id,projects(name),comments(id,users(name))&comments.order=id.desc',
    rows: [
      {
        id: 1,
        projects: { name: 'Website' },
        comments: [
          { id: 5, users: { name: 'Ada' } },
          { id: 2, users: { name: 'Edsger' } },
          { id: 1, users: { name: 'Grace' } },
        ],
      },
    ],
  },
  {
    rules: ['D6 embedding'],
    path: 'projects?order=id&select=id,issues(id)&issues.order=id.desc&issues.limit=2&issues.offset=1&issues.status=eq.open',
    rows: [
      { id: 1, issues: [{ id: 1 }] },
      { id: 2, issues: [] },
      { id: 3, issues: [] },
    ],
  },
  {
    rules: ['D6 embedding'],
    path: 'projects?id=eq.1&select=issues(id)&issues.or=(id.eq.1,id.eq.5)&issues.order=id',
    rows: [{ issues: [{ id: 1 }, { id: 5 }] }],
  },
  {
    rules: ['D6 embedding'],
    path: 'issues?id=in.(1,4)&order=id&select=id,who:users!assignee_id(name),users!issues_reporter_id_fkey(name)',
    rows: [
      { id: 1, who: { name: 'Ada' }, users: { name: 'Grace' } },
      { id: 4, who: null, users: { name: 'Edsger' } },
    ],
  },
  {
    rules: ['D6 embedding'],
    path: 'issues?id=eq.4&select=id,users!issues_reporter_id_fkey(name),users!issues_reporter_id_fkey(name)',
    rows: [{ id: 4, users: { name: 'Edsger' } }],
  },
  {
    rules: ['D6 embedding'],
    path: 'issues?select=users!assignee_id(name),users!issues_reporter_id_fkey(name)',
    status: 400,
    error: { code: 'TW005', message: /two different values are called "users"/ },
  },
  {
    rules: ['D6 embedding'],
    path: 'issues?id=in.(4,5)&order=id&select=id,labels(name)&labels.order=name',
    rows: [
      { id: 4, labels: [{ name: 'ui' }] },
      { id: 5, labels: [{ name: 'bug' }, { name: 'ui' }] },
    ],
  },
  {
    rules: ['D6 embedding', '8 app.max-rows'],
    path: 'projects?id=eq.2&select=issues(id)&issues.limit=1000',
    check: ({ text }) => {
      expect((JSON.parse(text) as { data: { issues: unknown[] }[] }).data[0]?.issues).toHaveLength(30);
    },
  },
  {
    rules: ['D6 embedding inner'],
    path: 'projects?order=id&select=id,issues!inner(id)&issues.status=eq.open&issues.order=id',
    rows: [
      { id: 1, issues: [{ id: 1 }, { id: 5 }] },
      { id: 2, issues: [{ id: 4 }] },
    ],
  },
  {
    rules: ['D6 embedding inner'],
    path: 'projects?order=id&select=id,issues!inner()&issues.status=eq.open',
    ids: [1, 2],
  },
  { rules: ['D6 embedding inner'], path: 'projects?select=id,issues()&issues=is.null', ids: [3] },
  { rules: ['D6 embedding inner'], path: 'projects?order=id&select=id,issues()&issues=not.is.null', ids: [1, 2] },
  {
    rules: ['D6 embedding', '4.2 order'],
    path: 'issues?id=lt.6&select=id,projects(name)&order=projects(name).asc,id.desc',
    ids: [4, 3, 5, 2, 1],
  },
  {
    rules: ['D6 embedding'],
    path: 'issues?select=users(*)',
    status: 400,
    error: { hint: /users!issues_assignee_id_fkey/ },
  },
  { rules: ['D6 embedding'], path: 'issues?select=coments(*)', status: 400, error: { hint: /comments/ } },
  {
    rules: ['D6 embedding'],
    path: 'issues?comments.id=eq.1',
    status: 400,
    error: { hint: /select=\*,comments\(\*\)/ },
  },
  { rules: ['D6 select alias'], path: 'issues?id=eq.1&select=headline', rows: [{ headline: 'open: Crash on start' }] },

  {
    rules: ['D6 unknown table', '7.1 404'],
    path: 'isues',
    status: 404,
    error: { code: 'TW001', hint: /`issues`/ },
  },
  ...['select=titel', 'titel=eq.1', 'order=titel', 'or=(titel.eq.1)'].map((parameter): Case => ({
    rules: ['D6 unknown column'],
    path: `issues?${parameter}`,
    status: 400,
    error: { code: 'TW002', message: /titel/, hint: /title/ },
  })),
  {
    rules: ['7.1 body', 'D6 error body'],
    path: 'isues',
    status: 404,
    answers: { 'content-type': 'application/json; charset=utf-8' },
    check: ({ text }) => {
      expect(Object.keys(JSON.parse(text) as object)).toEqual(['code', 'message', 'details', 'hint']);
    },
  },

  {
    rules: ['4.1 Accept-Profile'],
    server: 'several',
    path: 'projects',
    headers: { 'accept-profile': 'crm' },
    rows: [{ id: '10000000-0000-0000-0000-000000000000', title: 'Customer portal', board_project_id: 1 }],
    answers: { 'content-profile': 'crm' },
  },
  {
    rules: ['4.1 Accept-Profile'],
    server: 'several',
    path: 'projects?select=id&order=id',
    headers: { 'accept-profile': 'board' },
    ids: [1, 2, 3],
  },
  {
    rules: ['4.1 Accept-Profile'],
    path: 'projects?select=id&order=id',
    headers: { 'accept-profile': 'board' },
    ids: [1, 2, 3],
  },
  {
    rules: ['D6 embedding'],
    server: 'several',
    path: 'projects?select=title,projects(name)',
    headers: { 'accept-profile': 'crm' },
    rows: [{ title: 'Customer portal', projects: { name: 'Website' } }],
  },
  { rules: ['D6 schema not served'], path: 'projects?select=projects(title)', status: 400, error: { code: 'TW005' } },
  ...['GET', 'HEAD'].map((method): Case => ({
    rules: ['4.1 missing profile', 'D6 missing profile', '7.1 404'],
    server: 'several',
    method,
    path: 'projects',
    status: 404,
    ...(method === 'GET' ? { error: { code: 'TW007', hint: /board, crm/ } } : {}),
  })),
  {
    rules: ['4.1 missing profile', 'D6 missing profile'],
    server: 'several',
    path: 'projects',
    headers: { 'content-profile': 'crm' },
    status: 404,
    error: { code: 'TW007' },
  },
  ...(['board', 'several'] as const).map((server): Case => ({
    rules: ['D6 schema not served'],
    server,
    path: 'projects',
    headers: { 'accept-profile': server === 'board' ? 'crm' : 'pg_catalog' },
    status: 404,
    error: { code: 'TW007' },
  })),
  {
    rules: ['D6 42501', 'D6 error masking'],
    path: 'secrets',
    server: 'verified',
    status: 403,
    error: { code: '42501' },
    check: ({ text }) => {
      expect(text).not.toMatch(/permission denied for/);
    },
  },
  { rules: ['5.4'], server: 'verified', path: 'projects?select=id&order=id', ids: [1, 2, 3] },
  {
    rules: ['5.5', '4.1 Authorization', '7.1 401', 'D7 401 body'],
    server: 'verified',
    path: 'projects',
    headers: { authorization: 'Bearer not.a.token' },
    status: 401,
    error: { code: 'TW012' },
    answers: { 'content-type': 'application/json; charset=utf-8' },
    check: ({ headers }) => {
      expect(headers['www-authenticate']).toMatch(/^Bearer/);
    },
  },
];
