import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openServed, until, writeCustom, type Served, type ServedServer } from '../../support/served-as-role.js';
import { logged } from '../../support/until.js';

/** How the user's types and classes meet generated ones, at start. */
const sql = `
  create schema desk;
  create type desk.mood as enum ('good', 'so so');
  create type desk.place as (street text, city text);
  create table desk.notes (id int primary key, body text not null, mood desk.mood);
  create table desk.lines (id int primary key, note_id int references desk.notes, data jsonb);
  insert into desk.notes values (1, 'first', 'so so'), (2, 'second', 'good');
  insert into desk.lines values (1, 1, '{}');
  create procedure desk.move(note_id int, target desk.place, inout moved text) language plpgsql as $$
  begin moved := note_id || ' to ' || (target).city; end $$;
`;

const imports = `import { Arg, Authorized, Field, FieldResolver, InputType, Int, ObjectType, Query, Resolver, Root,
  createUnionType } from 'type-graphql';
  import * as scalars from 'graphql-scalars';
  import { DeskNotes, DeskNotesResolver, DeskNotesCreateInput, DeskNotesMoodFilterInput } from '../generated/desk/notes.table.js';
  import { DeskLines } from '../generated/desk/lines.table.js';
  import { DeskMood } from '../generated/desk/enums.js';
  import { ProceduresResolver } from '../generated/desk/procedures.js';
`;

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  served = await openServed({ name: 'desk', schema: 'desk', sql });
});
afterAll(() => served.drop());

const ask = async (document: string): Promise<unknown> => JSON.parse((await server.ask(document)).text);

describe('the user’s classes', () => {
  const custom = `${imports}
    @Resolver()
    class Moving extends ProceduresResolver {
      async callDeskMove(note, target, moved, context, info) {
        console.log('Moving: ' + note + ', ' + target.constructor.name);
        return super.callDeskMove(note, target, moved, context, info);
      }
    }
    @InputType()
    class Draft extends DeskNotesCreateInput { @Field(() => Boolean) urgent: boolean; }
    @ObjectType()
    class Pinned extends DeskNotes { @Field(() => Int) place: number; }
    const Found = createUnionType({ name: 'Found', types: () => [DeskNotes, DeskLines], resolveType: (row) => 'body' in row ? DeskNotes : DeskLines });
    @Resolver(() => DeskNotes)
    class Own {
      @FieldResolver(() => String) mood(@Root() note, @Arg('loud', () => Boolean, { nullable: true }) loud) { return loud ? 'good' : note.mood; }
      @Query(() => String) draft(@Arg('draft', () => Draft) draft: Draft) { return [draft instanceof Draft, draft instanceof DeskNotesCreateInput, JSON.stringify(draft)].join(' '); }
      @Query(() => Pinned) pinned() { return { id: 7, body: 'pinned', mood: null, place: 3 }; }
      @Query(() => [Found]) found() { return [{ id: 1, body: 'a' }, { id: 2, note_id: 1 }]; }
      @Query(() => DeskMood) echo(@Arg('mood', () => DeskMood) mood: DeskMood) { return mood; }
      @Query(() => String) like(@Arg('like', () => DeskNotesMoodFilterInput) like) { return JSON.stringify(like); }
    }
    /** A resolver may be called like a row. */
    @Authorized() @Resolver()
    class DeskLinesConnection { @Query(() => String) secret() { return 'told'; } }
    export const custom = { resolvers: [Moving, Own, DeskLinesConnection], authChecker: () => false };
  `;

  beforeAll(async () => {
    await writeCustom(served, custom);
    server = await served.start();
  });
  afterAll(() => server.stop());

  test('extend a generated resolver, with the arguments of a procedure', async () => {
    expect(await ask('mutation { callDeskMove(note_id: 3, target: { city: "Rome" }, moved: "") }')).toEqual({
      data: { callDeskMove: '{"moved":"3 to Rome"}' },
    });
    await until(() => Promise.resolve(server.log().includes('Moving: 3, DeskPlaceInput')));
  });

  test('extend a generated input', async () => {
    expect(await ask('{ draft(draft: { id: 1, body: "b", mood: so_so, urgent: true }) }')).toEqual({
      data: { draft: 'true true {"urgent":true,"id":1,"body":"b","mood":"so_so"}' },
    });
  });

  test('extend a row: the type has its fields, with their types', async () => {
    expect(
      await ask('{ pinned { id body mood place } __type(name: "Pinned") { fields { name type { kind } } } }'),
    ).toEqual({
      data: {
        pinned: { id: 7, body: 'pinned', mood: null, place: 3 },
        __type: {
          fields: expect.arrayContaining([
            { name: 'id', type: { kind: 'NON_NULL' } },
            { name: 'mood', type: { kind: 'ENUM' } },
          ]) as unknown,
        },
      },
    });
  });

  test('are unions of rows, take enums and filters, and replace a column with arguments of their own', async () => {
    const document = `{ found { __typename ... on DeskNotes { body } ... on DeskLines { note_id } } echo(mood: so_so)
      like(like: { in: [good] }) deskNotes(orderBy: { id: ASC }) { mood loud: mood(loud: true) } }`;
    expect(await ask(document)).toEqual({
      data: {
        found: [
          { __typename: 'DeskNotes', body: 'a' },
          { __typename: 'DeskLines', note_id: 1 },
        ],
        echo: 'so_so',
        like: '{"in":["good"]}',
        deskNotes: [
          { mood: 'so_so', loud: 'good' },
          { mood: 'good', loud: 'good' },
        ],
      },
    });
  });

  test('that are called like a generated type guard their own fields alone', async () => {
    const { data, errors } = (await ask(
      '{ deskLinesConnection(first: 1) { nodes { id } pageInfo { hasNextPage } } secret }',
    )) as { data: unknown; errors: readonly { path: unknown }[] };
    expect(data).toBeNull();
    expect(errors.map(({ path }) => path)).toEqual([['secret']]);
  });
});

describe('a type of the user’s with the name of a generated type', () => {
  const types = {
    'an object': [
      `@ObjectType('DeskNotes') class Mine { @Field(() => String) text: string }
       @Resolver() class Own { @Query(() => Mine) mine() { return {}; } }`,
      'The type DeskNotes of your code has the name that the table desk.notes takes now. (TW018)',
    ],
    'an input': [
      `@InputType('DeskNotesWhereInput') class Mine { @Field(() => String) text: string }
       @Resolver() class Own { @Query(() => String) mine(@Arg('mine', () => Mine) mine) { return ''; } }`,
      'The type DeskNotesWhereInput of your code has the name that a generated type takes now. (TW018)',
    ],
    'a scalar': [
      `@Resolver() class Own { @Query(() => scalars.GraphQLJSON) mine() { return {}; } }`,
      'The type JSON of your code has the name that a generated type takes now. (TW018)',
    ],
  } as const;

  test.each(Object.entries(types))('%s: the server does not start, and says why', async (_, [text, message]) => {
    await writeCustom(served, `${imports}${text}\nexport const custom = { resolvers: [Own] };`);
    const refused = await served
      .start()
      .then(async (started) => `started and ended with ${String(await started.stop())}`, String);
    expect(refused).toContain(message);
    expect(refused).not.toMatch(/\n\s+at /);
  });
});

test('a server without code of the user’s does not load TypeGraphQL', async () => {
  const custom = `process.once('SIGTERM', () => console.log('TypeGraphQL: ' + ('TypeGraphQLMetadataStorage' in globalThis)));
    export const custom = {};`;
  await writeCustom(served, custom);
  server = await served.start();
  expect(await ask('{ deskNotesByPk(id: 1) { body } }')).toEqual({ data: { deskNotesByPk: { body: 'first' } } });
  await server.stop();
  await logged(server, 'TypeGraphQL: false');
  expect(await readFile(`${served.folder}/dist/generated/desk/notes.table.js`, 'utf8')).not.toContain('type-graphql');
});
