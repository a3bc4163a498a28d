import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repository } from '../../support/transpile.js';
import { describeClients } from '../../support/client-packages.js';
import { compileClient, type Program } from '../../support/supabase.js';
import { serveOrchestra, type Served } from './served.js';

const sql = `
create type mood as enum ('calm', 'loud, or so');
create type spot as (x int, label text);
alter table instruments add mood mood, add place spot;
update instruments set mood = 'calm' where id = 1;
create table seats (id int primary key, label text generated always as ('A' || id) stored);
create function pair_of(n int, out half numeric, out twice int) returns setof record language sql stable as
  $$ select n / 2.0, n * 2 $$;
`;

/**
 * `clients: ['supabase']` writes the types of supabase-js: a program compiles against them, with
 * the errors that it expects, and its calls answer what the types say.
 */
describeClients('supabase.ts', () => {
  let served: Served;
  let program: Program | undefined;

  beforeAll(async () => {
    served = await serveOrchestra({ clients: ['supabase'] }, {}, sql);
    program = await compileClient('supabase-typed', join(served.folder, 'src/generated/supabase.ts'));
  });

  afterAll(async () => {
    await served.stop();
    await program?.remove();
  });

  test('is formatted as Prettier does', async () => {
    const path = join(served.folder, 'src/generated/supabase.ts');
    const text = await readFile(path, 'utf8');
    const options = await resolveConfig(join(repository, 'src/index.ts'));
    expect(await format(text, { ...options, filepath: path })).toBe(text);
  });

  test('the calls of a typed program answer', async () => {
    expect(await program?.run(served.base)).toEqual([
      { name: 'violin', mood: 'calm', orchestral_sections: { id: 1, name: 'strings' } },
      { name: 'strings', instruments: [{ name: 'violin' }, { name: 'viola' }] },
      [{ name: 'Ada', teams: [{ team_name: 'Red' }, { team_name: 'Blue' }] }],
      [{ id: 1, name: 'VIOLIN' }],
      { name: 'harp', mood: 'calm', tags: ['wood'] },
      [{ mood: 'loud, or so' }],
      'Hello world',
      'hi',
      [{ name: 'flute' }],
      [{ half: 1, twice: 4 }],
      [1, 1],
    ]);
  });
});
