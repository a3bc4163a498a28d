import type { SupabaseClient } from '@supabase/supabase-js';

/** Tables without types of their own, in the PostgREST release that has `maxAffected`. */
export type Client = SupabaseClient<any, { PostgrestVersion: '13' }>;

type Calls = Readonly<Record<string, (client: Client) => PromiseLike<unknown>>>;

/**
 * The data calls of the reference of supabase-js, in its order, under names for the test. The calls
 * run one after the other.
 */
export const calls: Calls = {
  // Fetch data
  select: (c) => c.from('orchestral_sections').select().order('id'),
  selectColumns: (c) => c.from('instruments').select('name').order('id'),
  selectReferenced: (c) => c.from('orchestral_sections').select('name, instruments (name)').order('id'),
  selectSpaces: (c) => c.from('instruments').select('id, "name"').eq('id', 1),
  selectThroughJoinTable: (c) => c.from('users').select('name, teams (team_name)').order('id'),
  selectTwice: (c) =>
    c
      .from('messages')
      .select('content, from:users!messages_sender_id_fkey(name), to:users!messages_receiver_id_fkey(name)')
      .order('id'),
  selectNested: (c) =>
    c.from('orchestral_sections').select('name, instruments (name, details->maker->city)').eq('id', 1),
  selectFilterReferenced: (c) =>
    c
      .from('instruments')
      .select('name, orchestral_sections (*)')
      .eq('orchestral_sections.name', 'woodwinds')
      .order('id'),
  selectInner: (c) =>
    c.from('instruments').select('name, orchestral_sections!inner (name)').eq('orchestral_sections.name', 'woodwinds'),
  selectReferencedCount: (c) => c.from('orchestral_sections').select('name, instruments (count)').order('id'),
  selectHeadCount: (c) => c.from('instruments').select('*', { count: 'exact', head: true }),
  selectPlannedCount: (c) => c.from('instruments').select('id', { count: 'planned' }).eq('id', 1),
  selectEstimatedCount: (c) => c.from('instruments').select('id', { count: 'estimated' }).eq('id', 1),
  selectJson: (c) => c.from('instruments').select('id, details->maker->city, details->strings').eq('id', 1),
  selectInnerCount: (c) =>
    c.from('orchestral_sections').select('*, instruments!inner(*)', { count: 'exact', head: true }),
  selectSchema: (c) => c.schema('public').from('teams').select('team_name').order('id'),
  selectSpread: (c) => c.from('instruments').select('name, ...orchestral_sections(section:name)').order('id'),
  selectSpreadMany: (c) => c.from('orchestral_sections').select('name, ...instruments(names:name)').order('id'),
  selectSpreadAggregate: (c) =>
    c.from('instruments').select('total:price.sum(), ...orchestral_sections(section:name.max(), id.sum())').lt('id', 3),
  selectCast: (c) => c.from('instruments').select('price::text, cost:price').eq('id', 1),
  selectAggregates: (c) => c.from('instruments').select('section_id, price.sum(), count()').order('section_id'),
  selectReferencedAggregate: (c) =>
    c.from('orchestral_sections').select('name, instruments(price.max(), dearest:price.avg()::text)').order('id'),

  // Insert data
  insert: (c) => c.from('orchestral_sections').insert({ id: 4, name: 'brass' }),
  insertReturning: (c) => c.from('orchestral_sections').insert({ id: 5, name: 'keys' }).select(),
  insertBulk: (c) =>
    c
      .from('teams')
      .insert([
        { id: 3, team_name: 'Green' },
        { id: 4, team_name: 'Grey' },
      ])
      .select('id'),
  insertCounted: (c) => c.from('teams').insert({ id: 5, team_name: 'Pink' }, { count: 'exact' }),
  insertDefaults: (c) =>
    c
      .from('messages')
      .insert([{ sender_id: 1 }, { sender_id: 2, content: 'again' }], { defaultToNull: false })
      .select('id, content, users!messages_sender_id_fkey(name)'),
  insertSingle: (c) => c.from('teams').insert({ id: 6, team_name: 'Gold' }).select().single(),
  insertDuplicate: (c) => c.from('teams').insert({ id: 6, team_name: 'Gold' }),
  insertOrphan: (c) => c.from('messages').insert({ sender_id: 99 }),
  insertNull: (c) => c.from('teams').insert({ id: 9, team_name: null }),
  insertUnknownColumn: (c) => c.from('teams').insert({ id: 9, nope: 1 }),
  insertRange: (c) =>
    c.from('reservations').insert({ id: 3, room: 'Opal', during: '[2001-01-01,2001-01-02)' }).select().single(),

  // Update, upsert, delete
  update: (c) => c.from('instruments').update({ name: 'piano' }).eq('id', 4),
  updateReturning: (c) => c.from('instruments').update({ name: 'harp' }).eq('id', 4).select('id, name'),
  updateJson: (c) =>
    c
      .from('instruments')
      .update({ details: { pedals: 7 } })
      .eq('details->>keys', '16')
      .select('id, details'),
  updateCounted: (c) => c.from('instruments').update({ sold: 4 }, { count: 'exact' }).eq('id', 4),
  updateNone: (c) => c.from('instruments').update({ name: 'x' }).eq('id', 99).select().single(),
  updateNoneMaybe: (c) => c.from('instruments').update({ name: 'x' }).eq('id', 99).select().maybeSingle(),
  updateEverything: (c) => c.from('instruments').update({ name: 'x' }),
  upsert: (c) => c.from('teams').upsert({ id: 6, team_name: 'Silver' }).select(),
  upsertBulk: (c) =>
    c
      .from('teams')
      .upsert([
        { id: 6, team_name: 'Tin' },
        { id: 7, team_name: 'Iron' },
      ])
      .select('id, team_name'),
  upsertByColumn: (c) =>
    c.from('users').upsert({ id: 3, username: 'cy', name: 'Cyan' }, { onConflict: 'username' }).select('id, name'),
  upsertIgnoring: (c) =>
    c.from('teams').upsert({ id: 6, team_name: 'Lead' }, { ignoreDuplicates: true, onConflict: 'id' }).select(),
  delete: (c) => c.from('teams').delete().eq('id', 5),
  deleteReturning: (c) => c.from('teams').delete().eq('id', 6).select('id'),
  deleteMany: (c) => c.from('teams').delete({ count: 'exact' }).in('id', [3, 4, 7]),
  deleteReferenced: (c) => c.from('users').delete().eq('id', 1),

  // Functions
  rpc: (c) => c.rpc('hello_world'),
  rpcArguments: (c) => c.rpc('echo', { say: '👋, {"x"}' }),
  rpcBulk: (c) => c.rpc('add_one_each', { arr: [1, 2, 3] }),
  rpcWhole: (c) => c.rpc('told', { strings: [4] }),
  rpcFilter: (c) => c.rpc('get_instruments').eq('id', 1).select('name').single(),
  rpcOrdered: (c) =>
    c.rpc('get_instruments', { dearest: 1000 }).order('price', { ascending: false }).limit(1).select('name'),
  rpcGet: (c) => c.rpc('get_instruments', { dearest: 700 }, { get: true }).select('name'),
  rpcCount: (c) => c.rpc('get_instruments', {}, { head: true, count: 'exact' }),
  rpcValues: (c) => c.rpc('numbers'),
  rpcRow: (c) => c.rpc('best_instrument').select('name'),
  rpcWriting: (c) => c.rpc('rename_instrument', { which: 4, word: 'lyre' }).select('id, name'),
  rpcWritingFiltered: (c) => c.rpc('rename_instrument', { which: 4, word: 'lute' }).eq('id', 3),
  rpcWritingSingle: (c) => c.rpc('rename_instrument', { which: 99, word: 'none' }).single(),
  rpcVoid: (c) => c.rpc('touch'),
  rpcRefused: (c) => c.rpc('refuse'),
  rpcUnknown: (c) => c.rpc('nothing'),
  rpcWrongArguments: (c) => c.rpc('echo', { shout: 1 }),

  // Filters
  eq: (c) => c.from('instruments').select('id').eq('name', 'viola'),
  neq: (c) => c.from('instruments').select('id').neq('name', 'viola').order('id'),
  gt: (c) => c.from('orchestral_sections').select('id').gt('id', 3).order('id'),
  gte: (c) => c.from('orchestral_sections').select('id').gte('id', 3).order('id'),
  lt: (c) => c.from('orchestral_sections').select('id').lt('id', 2),
  lte: (c) => c.from('orchestral_sections').select('id').lte('id', 2).order('id'),
  like: (c) => c.from('instruments').select('id').like('name', 'vio%').order('id'),
  ilike: (c) => c.from('instruments').select('id').ilike('name', '%LUT%').order('id'),
  likeAllOf: (c) => c.from('instruments').select('id').likeAllOf('name', ['v%', '%a']),
  likeAnyOf: (c) => c.from('instruments').select('id').likeAnyOf('name', ['%in', '%la']).order('id'),
  ilikeAllOf: (c) => c.from('instruments').select('id').ilikeAllOf('name', ['V%', '%A']),
  ilikeAnyOf: (c) => c.from('instruments').select('id').ilikeAnyOf('name', ['%IN', '%LA']).order('id'),
  regexMatch: (c) => c.from('instruments').select('id').regexMatch('name', '^vio').order('id'),
  regexIMatch: (c) => c.from('instruments').select('id').regexIMatch('name', '^VIO').order('id'),
  is: (c) => c.from('instruments').select('id').is('section_id', null),
  isDistinct: (c) => c.from('instruments').select('id').isDistinct('section_id', 1).order('id'),
  in: (c) => c.from('instruments').select('id').in('name', ['viola', 'flute', 'a,b']).order('id'),
  notIn: (c) => c.from('instruments').select('id').notIn('name', ['viola', 'flute']).order('id'),
  containsArray: (c) => c.from('instruments').select('id').contains('tags', ['bow']).order('id'),
  containsRange: (c) => c.from('reservations').select('id').contains('during', '[2000-01-01 13:00, 2000-01-01 13:30)'),
  containsJson: (c) => c.from('instruments').select('id').contains('details', { strings: 4 }).order('id'),
  containedBy: (c) => c.from('instruments').select('id').containedBy('tags', ['metal', 'brass']).order('id'),
  containedByRange: (c) =>
    c.from('reservations').select('id').containedBy('during', '[2000-01-01 00:00, 2000-01-01 23:59)'),
  rangeGt: (c) =>
    c.from('reservations').select('id').rangeGt('during', '[2000-01-02 08:00, 2000-01-02 08:30)').order('id'),
  rangeGte: (c) =>
    c.from('reservations').select('id').rangeGte('during', '[2000-01-02 08:30, 2000-01-02 09:30)').order('id'),
  rangeLt: (c) => c.from('reservations').select('id').rangeLt('during', '[2000-01-01 15:00, 2000-01-01 16:00)'),
  rangeLte: (c) => c.from('reservations').select('id').rangeLte('during', '[2000-01-01 14:00, 2000-01-01 16:00)'),
  rangeAdjacent: (c) =>
    c.from('reservations').select('id').rangeAdjacent('during', '[2000-01-01 12:00, 2000-01-01 13:00)'),
  overlaps: (c) => c.from('instruments').select('id').overlaps('tags', ['metal', 'bow']).order('id'),
  overlapsRange: (c) => c.from('reservations').select('id').overlaps('during', '[2000-01-01 12:45, 2000-01-01 13:15)'),
  textSearch: (c) =>
    c.from('quotes').select('id').textSearch('catchphrase', `'fat' & 'cat'`, { config: 'english' }).order('id'),
  textSearchPlain: (c) =>
    c
      .from('quotes')
      .select('id')
      .textSearch('catchphrase', 'fat cat', { type: 'plain', config: 'english' })
      .order('id'),
  textSearchPhrase: (c) =>
    c.from('quotes').select('id').textSearch('catchphrase', 'cat sat', { type: 'phrase', config: 'english' }),
  textSearchWeb: (c) =>
    c
      .from('quotes')
      .select('id')
      .textSearch('catchphrase', `'fat cat' or moon`, { type: 'websearch', config: 'english' })
      .order('id'),
  match: (c) => c.from('instruments').select('id').match({ section_id: 1, name: 'viola' }),
  not: (c) => c.from('instruments').select('id').not('section_id', 'is', null).order('id'),
  or: (c) => c.from('instruments').select('id').or('id.eq.2,name.eq.flute').order('id'),
  orAnd: (c) => c.from('instruments').select('id').or('id.gt.3,and(id.eq.1,name.eq.violin)').order('id'),
  orReferenced: (c) =>
    c
      .from('orchestral_sections')
      .select('name, instruments!inner(name)')
      .or('name.eq.viola,name.eq.flute', { referencedTable: 'instruments' })
      .order('id'),
  filter: (c) => c.from('instruments').select('id').filter('name', 'in', '("viola","flute")').order('id'),
  filterReferenced: (c) =>
    c.from('orchestral_sections').select('name, instruments!inner(name)').filter('instruments.name', 'eq', 'flute'),
  filterJson: (c) => c.from('instruments').select('id').eq('details->maker->>city', 'Cremona'),
  filterNotEmbedded: (c) =>
    c.from('orchestral_sections').select('id, instruments()').is('instruments', null).order('id'),

  // Modifiers
  order: (c) => c.from('instruments').select('id').order('price', { ascending: false, nullsFirst: false }),
  orderReferenced: (c) =>
    c
      .from('orchestral_sections')
      .select('name, instruments (name)')
      .eq('id', 1)
      .order('name', { referencedTable: 'instruments', ascending: false }),
  orderByReferenced: (c) =>
    c.from('instruments').select('id, orchestral_sections(name)').order('orchestral_sections(name)').order('id'),
  limit: (c) => c.from('instruments').select('id').order('id').limit(1),
  limitReferenced: (c) =>
    c
      .from('orchestral_sections')
      .select('name, instruments (name)')
      .eq('id', 1)
      .order('id', { referencedTable: 'instruments' })
      .limit(1, { referencedTable: 'instruments' }),
  range: (c) => c.from('instruments').select('id', { count: 'exact' }).order('id').range(1, 2),
  rangePastTheEnd: (c) => c.from('instruments').select('id', { count: 'exact' }).order('id').range(90, 99),
  abortSignal: (c) => c.from('instruments').select('id').eq('id', 1).abortSignal(AbortSignal.timeout(30_000)),
  aborted: (c) => c.from('instruments').select('id').abortSignal(AbortSignal.abort()),
  single: (c) => c.from('instruments').select('name').eq('id', 1).limit(1).single(),
  singleOfNone: (c) => c.from('instruments').select('name').eq('id', 99).single(),
  singleOfMany: (c) => c.from('instruments').select('name').single(),
  maybeSingle: (c) => c.from('instruments').select('name').eq('name', 'violin').maybeSingle(),
  maybeSingleOfNone: (c) => c.from('instruments').select('name').eq('id', 99).maybeSingle(),
  maybeSingleOfMany: (c) => c.from('instruments').select('name').maybeSingle(),
  csv: (c) => c.from('instruments').select('id, name, tags, details->strings').order('id').limit(2).csv(),
  explain: (c) => c.from('instruments').select('id').eq('id', 1).explain(),
  explainJson: async (c) => {
    const { data, ...rest } = await c
      .from('instruments')
      .select('id')
      .explain({ format: 'json', analyze: true, buffers: true });
    return { ...rest, data: Object.keys((data as unknown as readonly object[] | null)?.[0] ?? {}) };
  },
  explainWrite: (c) =>
    c.from('teams').insert({ id: 90, team_name: 'x' }).select().explain({ analyze: true, verbose: true }),
  explainedOnly: (c) => c.from('teams').select('id').eq('id', 90),
  overrideTypes: (c) =>
    c.from('instruments').select('id').eq('id', 1).overrideTypes<{ id: number }[], { merge: false }>(),
  stripNulls: (c) => c.from('messages').select('id, receiver_id').eq('id', 3).stripNulls(),
  maxAffected: (c) => c.from('messages').update({ content: 'x' }).gt('id', 0).maxAffected(1).select(),
  returns: (c) => c.from('instruments').select('id').eq('id', 1).returns<{ id: number }[]>(),
  setHeader: (c) => c.from('messages').select('receiver_id').eq('id', 3).setHeader('Accept', 'text/csv'),
  retry: (c) => c.from('instruments').select('id').eq('id', 1).retry(false),
  rollback: (c) => c.from('messages').delete().eq('id', 2).rollback().select('id'),
  rolledBack: (c) => c.from('messages').select('id').eq('id', 2),
  throwOnError: async (c) => {
    try {
      return await c.from('nothing').select().throwOnError();
    } catch (error) {
      return { thrown: { ...(error as object), message: (error as Error).message } };
    }
  },

  // Values and errors
  values: (c) => c.from('instruments').select('price, sold, tuned, made, tags, details').eq('id', 2),
  unknownTable: (c) => c.from('instrument').select(),
  unknownColumn: (c) => c.from('instruments').select('nam'),
  unknownRelation: (c) => c.from('instruments').select('*, teams(*)'),
  ambiguousRelation: (c) => c.from('messages').select('*, users(*)'),
  malformedFilter: (c) =>
    c
      .from('instruments')
      .select()
      .filter('id', 'equals' as 'eq', 1),
  malformedValue: (c) => c.from('instruments').select().eq('id', 'x'),
  unservedSchema: (c) => c.schema('private').from('instruments').select(),
};

/** The calls that need PostGIS. */
export const geoCalls: Calls = {
  geojson: (c) => c.from('places').select('name, at').eq('id', 1).geojson(),
  geojsonOfUpdate: (c) =>
    c.from('places').update({ name: 'Berne' }).eq('id', 1).rollback().select('name, at').geojson(),
};
