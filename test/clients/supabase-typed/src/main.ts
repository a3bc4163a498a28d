import { createClient } from '@supabase/supabase-js';
import type { CompositeTypes, Database, Enums, Tables, TablesInsert, TablesUpdate } from './database.types.js';

const supabase = createClient<Database>(process.env['BASE'] ?? '', process.env['KEY'] ?? 'sb_publishable_key', {
  // Node.js 20 has no WebSocket, and no data call opens one.
  realtime: { transport: class {} as never },
});

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const equal = <A, B>(_: Equal<A, B>): void => undefined;

const joined = await supabase
  .from('instruments')
  .select('name, mood, orchestral_sections(id, name)')
  .eq('id', 1)
  .single()
  .throwOnError();
equal<typeof joined.data.orchestral_sections, { id: number; name: string } | null>(true);
equal<typeof joined.data.mood, 'calm' | 'loud, or so' | null>(true);

const sections = await supabase
  .from('orchestral_sections')
  .select('name, instruments(name)')
  .order('id')
  .throwOnError();
equal<(typeof sections.data)[number]['instruments'], { name: string }[]>(true);

const teams = await supabase.from('users').select('name, teams(team_name)').eq('id', 1).throwOnError();
equal<(typeof teams.data)[number]['teams'], { team_name: string }[]>(true);

const loud = await supabase.from('loud').select('id, name').eq('id', 1).throwOnError();
equal<(typeof loud.data)[number]['name'], string | null>(true);

const made: TablesInsert<'instruments'> = { name: 'harp', mood: 'calm', tags: ['wood'] };
const harp = await supabase.from('instruments').insert(made).select('name, mood, tags').single().throwOnError();
const change: TablesUpdate<'instruments'> = { mood: 'loud, or so' };
const changed = await supabase.from('instruments').update(change).eq('name', 'harp').select('mood').throwOnError();

const hello = await supabase.rpc('hello_world').throwOnError();
const echoed = await supabase.rpc('echo', { say: 'hi' }).throwOnError();
equal<typeof echoed.data, string>(true);
const cheap = await supabase.rpc('get_instruments', { dearest: 700 }).select('name').throwOnError();
const pair = await supabase.rpc('pair_of', { n: 2 }).throwOnError();
equal<(typeof pair.data)[number], { half: number; twice: number }>(true);

equal<Enums<'mood'>, 'calm' | 'loud, or so'>(true);
equal<CompositeTypes<'spot'>, { x: number | null; label: string | null }>(true);
equal<Tables<'teams'>, { id: number; team_name: string }>(true);
equal<Tables<{ schema: 'public' }, 'teams'>, { id: number; team_name: string }>(true);

// @ts-expect-error there is no such table
supabase.from('nothing');
// @ts-expect-error the column is not nullable, and has no default
const incomplete: TablesInsert<'teams'> = { id: 1 };
// @ts-expect-error the database computes the column
const computed: TablesInsert<'seats'> = { id: 1, label: 'A1' };
// @ts-expect-error the argument is a text
void supabase.rpc('echo', { say: 1 });

console.log(
  JSON.stringify([
    joined.data,
    sections.data[0],
    teams.data,
    loud.data,
    harp.data,
    changed.data,
    hello.data,
    echoed.data,
    cheap.data,
    pair.data,
    [incomplete.id, computed.id],
  ]),
);
process.exit(0);
