/** A request of Ada's to the notes of schema.sql, and its answer under their policies. */
export interface PolicyCase {
  readonly how: string;
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly prefer?: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer?: unknown;
  /**
   * The answer under a rule that says the same, where it differs: a rule for writes applies to a
   * row also before it is written, and a row that may not be written is not reached.
   */
  readonly byRule?: { readonly status: number; readonly answer?: unknown };
}

export const hers = { owner: 'grace', body: 'x' };

/** Decision 007: a write that a policy rejects is 403 in every form. */
export const policyCases: readonly PolicyCase[] = [
  {
    how: 'insert of her own',
    method: 'POST',
    path: 'notes?select=id',
    body: { id: 10, owner: 'ada', body: 'x' },
    status: 201,
    answer: { id: 10 },
  },
  { how: "insert of another's (WITH CHECK)", method: 'POST', path: 'notes', body: { id: 10, ...hers }, status: 403 },
  {
    how: "insert of another's without an answer",
    method: 'POST',
    path: 'notes',
    prefer: 'return=minimal',
    body: { id: 10, ...hers },
    status: 403,
  },
  {
    how: "insert of many with one of another's",
    method: 'POST',
    path: 'notes',
    body: [
      { id: 10, owner: 'ada', body: 'x' },
      { id: 11, ...hers },
    ],
    status: 403,
  },
  {
    how: "insert of many with other columns and one of another's",
    method: 'POST',
    path: 'notes',
    body: [
      { id: 10, owner: 'ada', body: 'x', shared: true },
      { id: 11, ...hers },
    ],
    status: 403,
  },
  {
    how: 'upsert of her own',
    method: 'POST',
    path: 'notes?select=body',
    prefer: 'resolution=merge-duplicates',
    body: { id: 1, owner: 'ada', body: 'new' },
    status: 200,
    answer: { body: 'new' },
  },
  {
    how: "upsert that inserts another's",
    method: 'POST',
    path: 'notes',
    prefer: 'resolution=merge-duplicates',
    body: { id: 10, ...hers },
    status: 403,
  },
  {
    how: 'upsert that meets a row she does not see (USING)',
    method: 'POST',
    path: 'notes',
    prefer: 'resolution=merge-duplicates',
    body: { id: 2, owner: 'ada', body: 'mine now' },
    status: 403,
  },
  {
    how: 'upsert that gives hers away (WITH CHECK)',
    method: 'POST',
    path: 'notes',
    prefer: 'resolution=merge-duplicates',
    body: { id: 1, ...hers },
    status: 403,
  },
  {
    how: 'ignored duplicate of a row she does not see',
    method: 'POST',
    path: 'notes',
    prefer: 'resolution=ignore-duplicates',
    body: [{ id: 2, owner: 'ada', body: 'x' }],
    status: 200,
    answer: [],
  },
  {
    how: 'update of her own',
    method: 'PATCH',
    path: 'notes?id=eq.1&select=body',
    body: { body: 'new' },
    status: 200,
    answer: [{ body: 'new' }],
  },
  {
    how: 'update of what she does not see',
    method: 'PATCH',
    path: 'notes?id=eq.2',
    body: { body: 'new' },
    status: 200,
    answer: [],
  },
  {
    how: 'update of what she sees and may not keep (WITH CHECK)',
    method: 'PATCH',
    path: 'notes?id=eq.3',
    body: { body: 'new' },
    status: 403,
    byRule: { status: 200, answer: [] },
  },
  {
    how: 'update that gives hers away (WITH CHECK)',
    method: 'PATCH',
    path: 'notes?id=eq.1',
    body: { owner: 'grace' },
    status: 403,
  },
  {
    how: 'update that gives hers away, without an answer',
    method: 'PATCH',
    path: 'notes?id=eq.1',
    prefer: 'return=minimal',
    body: { owner: 'grace' },
    status: 403,
  },
  {
    how: 'replacement of her own',
    method: 'PUT',
    path: 'notes?id=eq.1',
    body: { owner: 'ada', body: 'new', shared: true },
    status: 200,
  },
  {
    how: 'replacement that gives hers away (WITH CHECK)',
    method: 'PUT',
    path: 'notes?id=eq.1',
    body: { owner: 'grace', body: 'new', shared: true },
    status: 403,
  },
  {
    how: 'replacement of what she does not see (USING)',
    method: 'PUT',
    path: 'notes?id=eq.2',
    body: { owner: 'ada', body: 'new', shared: true },
    status: 403,
  },
  {
    how: "replacement that inserts another's",
    method: 'PUT',
    path: 'notes?id=eq.10',
    body: { ...hers, shared: true },
    status: 403,
  },
  { how: 'deletion of her own', method: 'DELETE', path: 'notes?id=eq.1&select=id', status: 200, answer: [{ id: 1 }] },
  {
    how: 'deletion of what she sees and may not delete',
    method: 'DELETE',
    path: 'notes?id=eq.3',
    status: 200,
    answer: [],
  },
  { how: 'deletion of what she does not see', method: 'DELETE', path: 'notes?id=eq.2', status: 200, answer: [] },
];
