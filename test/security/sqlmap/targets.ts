/** A request in which every `*` marks a place for sqlmap's payloads. */
export interface Target {
  /** The kind of input that it tests. */
  readonly name: string;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path and query, percent-encoded; sqlmap encodes its payloads. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; `number(1)` is the number 1 with a mark. */
  readonly body?: unknown;
}

const number = (value: number): string => `number:${value}`;

/** Writes are tried and rolled back: decision 006, `tx=rollback`. */
const dryRun = { 'Content-Profile': 'vault', Prefer: 'tx=rollback' };
const graphql = (query: string, variables: unknown = {}): Omit<Target, 'name'> => ({
  method: 'POST',
  path: '/graphql',
  body: { query, variables },
});
const byTitle = 'query ($w: VaultNotesWhereInput) { vaultNotes(where: $w) { id title } }';

/** One target for each kind of input that a client controls. */
export const targets: readonly Target[] = [
  { name: 'REST: a value', path: '/api/v1/notes?title=eq.ada%201*&select=id' },
  { name: 'REST: values of other operators', path: '/api/v1/notes?id=in.(1*,2)&title=ilike.ada%25*&tags=cs.%7Ba*%7D' },
  {
    name: 'REST: values of text search, JSON and time',
    path: '/api/v1/notes?search=wfts.ada*&details=cs.%7B%22code%22:%22SECRET-ada*%22%7D&written_at=gt.2025-01-01*',
  },
  {
    name: 'REST: a value and an operator in a group',
    path: '/api/v1/notes?or=(title.eq.ada%201*,and(id.gt*.0,owner.eq.ada*))',
  },
  { name: 'REST: a column’s name and an operator', path: '/api/v1/notes?title*=eq*.ada%201' },
  { name: 'REST: select', path: '/api/v1/notes?select=id*,named:title*,details-%3E%3Ecode*,amount::text*' },
  { name: 'REST: order', path: '/api/v1/notes?order=id*.desc*.nullslast*' },
  { name: 'REST: limit and offset', path: '/api/v1/notes?limit=5*&offset=0*' },
  {
    name: 'REST: embedded tables',
    path: '/api/v1/notes?select=id,comments*(body*)&comments.body=like.SECRET%25*&comments.order=id*',
  },
  { name: 'REST: a table and a key', path: '/api/v1/notes*/1*' },
  {
    name: 'REST: the parameters of writes',
    method: 'POST',
    path: '/api/v1/notes?columns=title*,body&on_conflict=owner,title*',
    headers: { ...dryRun, Prefer: 'tx=rollback, resolution=merge-duplicates' },
    body: { title: 'x', body: 'y' },
  },
  {
    name: 'REST: values of a row',
    method: 'POST',
    path: '/api/v1/notes',
    headers: dryRun,
    body: {
      title: 'x*',
      tags: ['a*'],
      details: { deep: ['d*'] },
      amount: number(1),
      status: 'open*',
      written_at: '2026-01-01*',
    },
  },
  {
    name: 'REST: the columns of a row',
    method: 'POST',
    path: '/api/v1/notes',
    headers: dryRun,
    body: { title: 'x', 'body*': 'y' },
  },
  { name: 'REST: an update', method: 'PATCH', path: '/api/v1/notes?id=eq.1*', headers: dryRun, body: { title: 'x*' } },
  { name: 'REST: a deletion', method: 'DELETE', path: '/api/v1/notes?title=eq.ada%203*', headers: dryRun },
  { name: 'header: Prefer', path: '/api/v1/notes?select=id', headers: { Prefer: 'count=exact*' } },
  { name: 'header: Range', path: '/api/v1/notes?select=id', headers: { Range: '0-1*' } },
  { name: 'header: Accept-Profile', path: '/api/v1/notes?select=id', headers: { 'Accept-Profile': 'vault*' } },
  {
    name: 'header: Content-Profile',
    method: 'PATCH',
    path: '/api/v1/notes?id=eq.1',
    headers: { ...dryRun, 'Content-Profile': 'vault*' },
    body: { title: 'x' },
  },
  { name: 'header: Authorization', path: '/api/v1/notes?select=id', headers: { Authorization: 'Bearer {token}*' } },
  { name: 'header: X-Request-Id', path: '/api/v1/notes?select=id', headers: { 'X-Request-Id': 'r1*' } },
  {
    name: 'GraphQL: values in variables',
    ...graphql(byTitle, {
      w: {
        title: { eq: 'ada 1*' },
        id: { in: [number(1)] },
        tags: { hasAny: ['a*'] },
        details: { contains: { code: 'SECRET-ada*' } },
      },
    }),
  },
  { name: 'GraphQL: names in variables', ...graphql(byTitle, { w: { 'title*': { 'eq*': 'ada 1' } } }) },
  {
    name: 'GraphQL: order, columns and pages in variables',
    ...graphql(
      'query ($o: [VaultNotesOrderByInput!], $a: String) { vaultNotes(orderBy: $o) { id } vaultNotesConnection(after: $a, first: 1) { nodes { id } } }',
      { o: [{ id: 'ASC*' }], a: '{cursor}*' },
    ),
  },
  {
    name: 'GraphQL: text search in variables',
    ...graphql('query ($s: TextSearch) { vaultNotes(where: {search: {webSearch: $s}}) { id } }', {
      s: { query: 'ada*', config: 'english*' },
    }),
  },
  { name: 'GraphQL: the document', ...graphql('{ vaultNotes*(where: {title*: {eq: "ada 1*"}}, limit: 5*) { id* } }') },
  {
    name: 'GraphQL: a mutation',
    ...graphql('mutation ($r: VaultNotesUpdateInput!) { updateVaultNotes(where: {id: {eq: 0}}, input: $r) { id } }', {
      r: { title: 'x*', body: 'y*' },
    }),
  },
  {
    name: 'GraphQL: a procedure',
    ...graphql('mutation ($n: Int!, $a: Int) { callVaultTouch(note: $n, affected: $a) }', {
      n: number(0),
      a: number(0),
    }),
  },
];
