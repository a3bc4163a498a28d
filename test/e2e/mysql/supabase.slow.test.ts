import { expect } from '@jest/globals';
import { describeClients } from '../../support/client-packages.js';
import { describeMysql } from '../../support/mysql.js';
import { compileSupabase, type SupabaseProgram } from '../../support/supabase.js';
import { answers } from '../postgrest/answers.js';
import { serveMysql, type ServedMysql } from './served.js';

/** The tables of ../postgrest/schema.ts as far as MariaDB has their types. Ranges are texts. */
const schema = `
create table orchestral_sections (id int primary key, name varchar(40) not null unique);
create table instruments (
  id int not null auto_increment primary key, name varchar(40) not null, section_id int, details json,
  tuned varchar(80), made varchar(80), tags json, price decimal(10, 2), sold bigint,
  constraint instruments_section_id_fkey foreign key (section_id) references orchestral_sections (id));
create table users (id int primary key, name varchar(40) unique, username varchar(40) unique, status varchar(40));
create table teams (id int primary key, team_name varchar(40) not null);
create table users_teams (
  user_id int, team_id int, primary key (user_id, team_id),
  constraint users_teams_user_id_fkey foreign key (user_id) references users (id),
  constraint users_teams_team_id_fkey foreign key (team_id) references teams (id));
create table messages (
  id int not null auto_increment primary key, content text, sender_id int not null, receiver_id int,
  constraint messages_sender_id_fkey foreign key (sender_id) references users (id),
  constraint messages_receiver_id_fkey foreign key (receiver_id) references users (id));
create table quotes (id int primary key, catchphrase text not null);
create table reservations (id int primary key, room varchar(40) not null, during varchar(80));

insert into orchestral_sections values (1, 'strings'), (2, 'woodwinds'), (3, 'percussion');
insert into instruments (id, name, section_id, details, tuned, made, tags, price, sold) values
  (1, 'violin', 1, '{"strings": 4, "maker": {"city": "Cremona"}}', '[196,3520)', '[1550-01-01,)', '["wood","bow"]', 1200.50, 9007199254740993),
  (2, 'viola', 1, '{"strings": 4, "maker": {"city": "Brescia"}}', '[130,1760)', '[1540-01-01,)', '["wood","bow"]', 900, 10),
  (3, 'flute', 2, '{"keys": 16}', '[262,2093)', '[1847-01-01,1900-01-01)', '["metal"]', 650, null),
  (4, 'gong', null, null, null, null, '[]', null, 3);
alter table instruments auto_increment = 11;
insert into users values (1, 'Ada', 'ada', 'ONLINE'), (2, 'Bo', 'bo', 'OFFLINE'), (3, 'Cy', 'cy', 'ONLINE');
insert into teams values (1, 'Red'), (2, 'Blue');
insert into users_teams values (1, 1), (1, 2), (2, 1);
insert into messages (id, content, sender_id, receiver_id) values (1, 'hello', 1, 2), (2, 'bye', 2, 1), (3, null, 1, null);
alter table messages auto_increment = 11;
insert into quotes values (1, 'The fat cat sat on a mat'), (2, 'A dog barked at the moon'), (3, 'Fat cats chase rats');
insert into reservations values (1, 'Emerald', '[2000-01-01 13:00,2000-01-01 15:00)'), (2, 'Topaz', '[2000-01-02 09:00,2000-01-02 10:00)');
`;

const answered = { error: null, data: null, count: null, statusText: expect.any(String) as unknown, success: true };
const refused = (status: number, code: string) => ({
  ...answered,
  success: false,
  status,
  error: expect.objectContaining({ code }) as unknown,
});

/** What MariaDB answers otherwise, and why. */
const others: Readonly<Record<string, unknown>> = {
  // The server calls procedures of MariaDB in its own form alone: its functions answer no rows.
  ...Object.fromEntries(
    Object.keys(answers)
      .filter((name) => name.startsWith('rpc') && name !== 'rpcCount')
      .map((name) => [name, refused(404, 'PGRST202')]),
  ),
  // A HEAD has no body, so that supabase-js sees no error in a 404.
  rpcCount: { ...answered, status: 204 },
  // The row that a function has renamed on PostgreSQL keeps its name.
  ilike: { ...answered, status: 200, data: [{ id: 3 }] },
  // Groups in lists of an embedded table.
  selectReferencedCount: refused(400, 'PGRST127'),
  selectReferencedAggregate: refused(400, 'PGRST127'),
  // No arrays: a list is JSON, for which `{bow}` is no value, and which has no `&&`.
  containsArray: refused(400, '22P02'),
  containedBy: refused(400, '22P02'),
  overlaps: refused(404, '42883'),
  csv: {
    ...answered,
    status: 200,
    data: 'id,name,tags,strings\n1,violin,"[""wood"",""bow""]",4\n2,viola,"[""wood"",""bow""]",4',
  },
  // No ranges: they are texts, without their operators.
  ...Object.fromEntries(
    [
      'containsRange',
      'containedByRange',
      'rangeGt',
      'rangeGte',
      'rangeLt',
      'rangeLte',
      'rangeAdjacent',
      'overlapsRange',
    ].map((name) => [name, refused(404, '42883')]),
  ),
  insertRange: { ...answered, status: 201, data: { id: 3, room: 'Opal', during: '[2001-01-01,2001-01-02)' } },
  // Full text search needs an index of its own there, which the server does not use.
  ...Object.fromEntries(
    ['textSearch', 'textSearchPlain', 'textSearchPhrase', 'textSearchWeb'].map((name) => [
      name,
      refused(400, 'PGRST100'),
    ]),
  ),
  // EXPLAIN has no options, and its text is a table.
  explain: { ...answered, status: 200, data: expect.stringContaining('| SIMPLE |') as unknown },
  explainJson: { ...refused(406, 'PGRST107'), data: [] },
  explainWrite: refused(400, 'PGRST127'),
  stripNulls: refused(400, 'PGRST127'),
};

describeClients('supabase-js', () => {
  describeMysql('on MariaDB', () => {
    let served: ServedMysql;
    let program: SupabaseProgram;
    let given: Awaited<ReturnType<SupabaseProgram['call']>>;

    beforeAll(async () => {
      served = await serveMysql({ APP_REST_POSTGREST: '/rest/v1', APP_REST_PLAN_ENABLED: 'true' }, '', schema);
      program = await compileSupabase();
      given = await program.call(served.base, 'calls');
    });

    afterAll(async () => {
      await served.stop();
      await program.remove();
    });

    test.each(Object.keys(answers))('%s', (name) => {
      expect(given[name]).toEqual(others[name] ?? answers[name]);
    });
  });
});
