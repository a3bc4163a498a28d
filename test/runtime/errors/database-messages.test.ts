import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startService, type Service } from './support/service.js';

/** Decision 006: clients get the messages that the database's author raises. */
const sql = `
create schema rules;

create function rules.speak(what text) returns void language plpgsql as $$
begin
  case what
    when 'shout' then raise exception 'Titles must not shout' using detail = 'It is all capitals.', hint = 'Write it in lower case.';
    when 'plain' then raise exception 'Not like this';
    when 'own' then raise exception 'The period is closed' using errcode = 'AB123', hint = 'Open it first.';
    when 'mysql' then raise exception 'Signalled' using errcode = '45000';
    when 'PT402' then raise exception 'Pay first' using errcode = 'PT402';
    when 'PT503' then raise exception 'Closed for the night' using errcode = 'PT503';
    when 'PT401' then raise exception 'Who are you' using errcode = 'PT401';
    when 'PT000', 'PT200', 'PT301', 'PT999', 'PT600', 'PTABC' then execute format('do $x$ begin raise exception %L using errcode = %L; end $x$', 'Nonsense', what);
    when '0A000', '42601', '42602', '42704', '3F000', '42P01', '42703', '22P02', '23514', 'XX000', 'P0002' then
      execute format('do $x$ begin raise exception %L using errcode = %L; end $x$', 'A secret of the inside', what);
    else null;
  end case;
end $$;

create domain rules.percent as int constraint percent_range check (value between 0 and 100);
comment on constraint percent_range on domain rules.percent is 'A share is between 0 and 100.';

create table rules.titles (
  id int primary key,
  title text not null,
  slug text constraint titles_slug_unique unique,
  share rules.percent,
  parent int constraint titles_parent references rules.titles,
  constraint titles_not_empty check (title <> ''),
  constraint titles_uncommented check (length(title) < 100)
);
comment on constraint titles_slug_unique on rules.titles is 'This address is taken: choose another slug.';
comment on constraint titles_not_empty on rules.titles is 'A title has to say something.';
comment on constraint titles_parent on rules.titles is 'There is no such parent.';
insert into rules.titles (id, title, slug) values (1, 'quiet', 'quiet'), (2, 'plain', 'plain');

create function rules.check_title() returns trigger language plpgsql as $$
begin perform rules.speak(new.title); return new; end $$;
create trigger speak before insert or update on rules.titles for each row execute function rules.check_title();

create function rules.check_late() returns trigger language plpgsql as $$
begin if new.title = 'late' then raise exception 'Too late for this' using hint = 'Come earlier.'; end if; return new; end $$;
create constraint trigger late after insert or update on rules.titles deferrable initially deferred
  for each row execute function rules.check_late();

create procedure rules.proclaim(what text) language plpgsql as $$ begin perform rules.speak(what); end $$;

create function rules.titles_echo(t rules.titles) returns text language plpgsql stable as $$
begin perform rules.speak('shout'); return t.title; end $$;

create view rules.loud as select id, rules.titles_echo(t) as echo from rules.titles t;

create table rules.measures (day date not null, value int, constraint measures_positive check (value > 0)) partition by range (day);
create table rules.measures_2024 partition of rules.measures for values from ('2024-01-01') to ('2025-01-01');
comment on constraint measures_positive on rules.measures is 'A measure is positive.';
`;

const told = { message: 'Titles must not shout', details: 'It is all capitals.', hint: 'Write it in lower case.' };

let service: Service;

describe('texts are told', () => {
  beforeAll(async () => {
    service = await startService(sql, { schema: 'rules' });
  });
  afterAll(() => service.stop());

  test('a trigger, over REST and over GraphQL', async () => {
    const error = { status: 400, code: 'P0001', ...told };
    expect(await service.restError('POST', 'titles', { id: 9, title: 'shout' })).toMatchObject(error);
    expect(await service.restError('POST', 'titles', [{ id: 9, title: 'shout' }])).toMatchObject(error);
    expect(await service.restError('PATCH', 'titles?id=eq.1', { title: 'shout' })).toMatchObject(error);
    expect(await service.restError('PUT', 'titles?id=eq.1', whole('shout'))).toMatchObject(error);
    for (const field of [
      'createRulesTitles(input: {id: 9, title: "shout"}) { id }',
      'createManyRulesTitles(inputs: [{id: 9, title: "shout"}]) { id }',
      'updateRulesTitles(id: 1, input: {title: "shout"}) { id }',
    ]) {
      expect(await service.graphqlError(`mutation { it: ${field} }`)).toMatchObject({
        message: told.message,
        path: ['it'],
        extensions: { code: 'P0001', details: told.details, hint: told.hint },
      });
    }
  });

  test('a procedure, a computed field, and a read of a view', async () => {
    expect(await service.graphqlError('mutation { callRulesProclaim(what: "shout") }')).toMatchObject({
      message: told.message,
      path: ['callRulesProclaim'],
      extensions: { code: 'P0001', hint: told.hint },
    });
    expect(await service.graphqlError('{ rulesTitles { id echo } }')).toMatchObject({
      message: told.message,
      path: ['rulesTitles'],
    });
    expect(await service.restError('GET', 'loud')).toMatchObject({ status: 400, code: 'P0001', ...told });
    expect(await service.restError('GET', 'titles?select=id,echo')).toMatchObject({ status: 400, ...told });
  });

  test('a deferred constraint trigger at the commit', async () => {
    const error = { message: 'Too late for this', hint: 'Come earlier.' };
    expect(await service.restError('POST', 'titles', { id: 9, title: 'late' })).toMatchObject({
      status: 400,
      ...error,
    });
    expect(
      await service.graphqlError('mutation { createRulesTitles(input: {id: 9, title: "late"}) { id } }'),
    ).toMatchObject({
      message: error.message,
      path: ['createRulesTitles'],
      extensions: { code: 'P0001', hint: error.hint },
    });
    // An error at the commit of several fields belongs to none of them, so the error has no path.
    const several = await service.graphqlError(
      'mutation { a: createRulesTitles(input: {id: 9, title: "late"}) { id } b: createRulesTitles(input: {id: 10, title: "fine"}) { id } }',
    );
    expect(several).toMatchObject({ message: error.message });
    expect(several.path).toBeUndefined();
    expect(await service.db.query('select id from rules.titles where id > 8')).toEqual([]);
  });

  test('an error without detail and hint has none', async () => {
    expect(await service.restError('POST', 'titles', { id: 9, title: 'plain' })).toMatchObject({
      ...{ status: 400, code: 'P0001', message: 'Not like this', details: null, hint: null },
    });
  });

  test.each([
    ['own', 400, 'AB123', 'The period is closed'],
    ['mysql', 400, '45000', 'Signalled'],
    ['PT402', 402, 'PT402', 'Pay first'],
    ['PT503', 503, 'PT503', 'Closed for the night'],
    ['PT401', 401, 'PT401', 'Who are you'],
    ...['PT000', 'PT200', 'PT301', 'PT999', 'PT600', 'PTABC'].map((code) => [code, 400, code, 'Nonsense'] as const),
  ])('%s is answered %i', async (title, status, code, message) => {
    expect(await service.restError('POST', 'titles', { id: 9, title })).toMatchObject({ status, code, message });
    expect(await service.graphqlError(`mutation { callRulesProclaim(what: "${title}") }`)).toMatchObject({
      message,
      extensions: { code },
    });
  });

  test.each(['0A000', '42601', '42602', '42704', '3F000', '42P01', '42703', 'XX000', 'P0002', '22P02', '23514'])(
    'a function that raises %s keeps its text, and is not told of full-text search or of generating again',
    async (code) => {
      const error = await service.restError('POST', 'titles', { id: 9, title: code });
      expect(error.code).toBe(code);
      expect(JSON.stringify(error)).not.toMatch(/secret|full-text|[Gg]enerate|JSON path/);
      expect(JSON.stringify(await service.graphqlError(`mutation { callRulesProclaim(what: "${code}") }`))).not.toMatch(
        /secret|full-text|[Gg]enerate|JSON path/,
      );
    },
  );

  test.each([
    ['unique', { id: 9, title: 't', slug: 'quiet' }, 409, '23505', 'This address is taken: choose another slug.'],
    ['check', { id: 9, title: '' }, 400, '23514', 'A title has to say something.'],
    ['foreign key', { id: 9, title: 't', parent: 77 }, 409, '23503', 'There is no such parent.'],
    ['domain', { id: 9, title: 't', share: 101 }, 400, '23514', 'A share is between 0 and 100.'],
  ])('the comment on a constraint is its message: %s', async (_what, body, status, code, message) => {
    expect(await service.restError('POST', 'titles', body)).toMatchObject({ status, code, message });
    expect(
      await service.graphqlError('mutation ($row: RulesTitlesCreateInput!) { createRulesTitles(input: $row) { id } }', {
        row: body,
      }),
    ).toMatchObject({ message, extensions: { code } });
  });

  test('the comment on a constraint of a partitioned table, whose partition the database names', async () => {
    expect(await service.restError('POST', 'measures', { day: '2024-05-01', value: -1 })).toMatchObject({
      status: 400,
      message: 'A measure is positive.',
    });
  });

  test('a constraint without a comment keeps our message, and still says which it is', async () => {
    expect(await service.restError('POST', 'titles', { id: 9, title: 't'.repeat(200) })).toMatchObject({
      message: 'The row breaks a check of its table.',
      details: 'About constraint "titles_uncommented", table "titles".',
    });
  });
});

describe('a setting hides the texts', () => {
  beforeAll(async () => {
    service = await startService(sql, { schema: 'rules', environment: { APP_ERRORS_DATABASE_MESSAGES: 'false' } });
  });
  afterAll(() => service.stop());

  test('status and code stay', async () => {
    const hidden = { message: 'A rule of the database refused the request.', details: null, hint: null };
    expect(await service.restError('POST', 'titles', { id: 9, title: 'shout' })).toMatchObject({
      status: 400,
      ...hidden,
    });
    expect(await service.restError('POST', 'titles', { id: 9, title: 'PT402' })).toMatchObject({
      status: 402,
      ...hidden,
    });
    expect(await service.restError('GET', 'loud')).toMatchObject({ status: 400, ...hidden });
    expect(await service.restError('POST', 'titles', { id: 9, title: '' })).toMatchObject({
      message: 'The row breaks a check of its table.',
    });
    const error = await service.graphqlError('mutation { callRulesProclaim(what: "shout") }');
    expect(error).toMatchObject({ message: hidden.message, extensions: { code: 'P0001' } });
    expect(error.extensions).not.toHaveProperty('hint');
  });
});

const whole = (title: string) => ({ title, slug: null, share: null, parent: null });
