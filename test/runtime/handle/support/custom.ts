/** Custom code over the desk's tables. `$` stands for the database's schema. */
const text = `
import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import { sql } from 'kysely';
import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { contextOf } from '@tablewright/runtime';
import { $TYPE$Notes } from '../generated/$FOLDER$/notes.table.js';

const state = { kept: undefined, batches: [], seen: [] };

const lengthsOf = async (ids, { transaction }) => {
  state.batches.push(ids);
  const rows = await transaction((db) => db.selectFrom('$.notes').select(['id', 'body']).where('id', 'in', ids).execute());
  return new Map(rows.map(({ id, body }) => [id, body.length]));
};

const add = (db, body) => db.insertInto('$.notes').values({ body, owner: sql\`$USER$\` }).execute();

@Resolver(() => $TYPE$Notes)
class Notes {
  @FieldResolver(() => Int)
  length(@Root() note, @Ctx() context) {
    return context.loader(lengthsOf).load(note.id);
  }

  @Query(() => [String])
  bodies(@Ctx() context) {
    return context.transaction(async (db) => (await db.selectFrom('$.notes').select('body').orderBy('id').execute()).map(({ body }) => body));
  }

  @Query(() => String)
  async types(@Ctx() context) {
    const row = await context.transaction((db) => db.selectFrom('$.notes').selectAll().orderBy('id').executeTakeFirstOrThrow());
    return JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, [value?.constructor?.name ?? 'null', value]])));
  }

  @Mutation(() => Boolean)
  addTwo(@Arg('fail', () => Boolean, { defaultValue: false }) fail, @Ctx() context) {
    return context.transaction(async (db) => {
      await add(db, 'first');
      await add(db, 'second');
      if (fail) throw new Error('secret');
      return true;
    });
  }

  @Mutation(() => String)
  inside(@Ctx() context) {
    return context.transaction(async (db) => {
      await add(db, 'outer');
      await context.transaction(async (inner) => {
        await add(inner, 'undone');
        throw new Error('undo');
      }).catch(() => undefined);
      // A statement that fails ends no more than the savepoint.
      await context.transaction((inner) => inner.insertInto('$.notes').values({ id: 1, body: 'twice', owner: 'x' }).execute()).catch(() => undefined);
      await db.transaction().execute((inner) => add(inner, 'kysely')).catch(() => undefined);
      await context.transaction((inner) => context.transaction((third) => add(third, 'third')));
      return (await db.selectFrom('$.notes').select('body').orderBy('id').execute()).map(({ body }) => body).join();
    });
  }

  @Mutation(() => String)
  together(@Ctx() context) {
    return context.transaction(async (db) => {
      await add(db, 'by kysely');
      await context.query('mutation { create$TYPE$Notes(input: { body: "by document" }) { id } }');
      const [{ count }] = await db.selectFrom('$.notes').select((each) => each.fn.countAll().as('count')).execute();
      const { $FIELD$Notes } = await context.query('{ $FIELD$Notes { id } }');
      return \`\${count} \${$FIELD$Notes.length}\`;
    });
  }

  /** Failures that are passed over count. */
  @Mutation(() => Boolean)
  swallow(@Ctx() context) {
    return context.transaction(async (db) => {
      await add(db, 'lost');
      await sql\`select nonsense\`.execute(db).catch(() => undefined);
      return true;
    });
  }

  @Query(() => String)
  after(@Arg('statement', () => String) statement, @Ctx() context) {
    return context.transaction(async (db) => {
      await sql.raw(statement).execute(db);
      const { rows: [who] } = await sql\`$WHO$\`.execute(db);
      const { $FIELD$Notes } = await context.query('{ $FIELD$Notes { owner } }');
      return JSON.stringify({ ...who, owners: [...new Set($FIELD$Notes.map(({ owner }) => owner))] });
    });
  }

  @Query(() => Boolean)
  async keep(@Ctx() context) {
    await context.transaction(async (db) => { state.kept = db; });
    await state.kept.selectFrom('$.notes').selectAll().execute();
    return true;
  }

  @Query(() => Int)
  async parallel(@Ctx() context) {
    const counts = await context.transaction((db) => Promise.all([1, 2, 3, 4].map((n) =>
      n % 2 === 0
        ? context.transaction((inner) => inner.selectFrom('$.notes').select('id').execute())
        : db.selectFrom('$.notes').select('id').execute())));
    return counts.flat().length;
  }

  @Query(() => Boolean)
  slow(@Arg('seconds', () => Int) seconds, @Arg('timeout', () => Int, { nullable: true }) timeout, @Ctx() context) {
    return context.transaction(async (db) => {
      await sql\`select $SLEEP$(\${seconds}) as slept\`.execute(db);
      return true;
    }, timeout == null ? {} : { timeout });
  }

  @Query(() => [[Int]])
  batches() {
    return state.batches.splice(0);
  }

  @Query(() => String)
  seen() {
    return JSON.stringify(state.seen.splice(0));
  }
}

const mine = Router()
  .get('/open', (request, response) => { response.send('open'); })
  .get('/mine', async (request, response) => {
    const { transaction, query } = contextOf(request);
    const notes = await transaction((db) => db.selectFrom('$.notes').select('body').execute());
    const { $FIELD$Notes } = await query('{ $FIELD$Notes { id } }');
    response.json({ user: request.identity.userId ?? null, notes: notes.length, read: $FIELD$Notes.length });
  })
  .get('/as/:user', async (request, response) => {
    const other = contextOf(request).as({ userId: request.params.user });
    const notes = await other.transaction((db) => db.selectFrom('$.notes').select('owner').distinct().execute());
    response.json({ user: other.identity.userId, owners: notes.map(({ owner }) => owner) });
  })
  .get('/wait', async (request, response) => {
    await contextOf(request).transaction(async (db) => {
      await add(db, 'abandoned');
      await sql\`select $SLEEP$(30) as slept\`.execute(db);
    });
    response.send('done');
  });

const hooks = {
  '$.tasks': {
    beforeInsert: async ({ rows, db, refuse }) => {
      if (rows.some(({ title }) => title === 'careless')) {
        db.selectFrom('$.tasks').selectAll().execute().catch(() => undefined);
        refuse('Nobody waits for what it asked.');
      }
      const { count } = await db.selectFrom('$.tasks').select((each) => each.fn.countAll().as('count')).executeTakeFirstOrThrow();
      if (rows.some(({ title }) => title === 'refused')) refuse('Not this one.', 409);
      return rows.map((row) => ({ ...row, title: \`\${row.title} after \${count}\` }));
    },
    afterInsert: async ({ rows, db, transaction }) => {
      state.seen.push(['inserted', rows.map(({ id, title, due }) => [id, title, due?.constructor?.name])]);
      await db.insertInto('$.journal').values(rows.map(({ id }) => ({ task: id, what: 'inserted' }))).execute();
      await transaction(async (inner) => {
        await inner.insertInto('$.journal').values({ task: 0, what: 'undone' }).execute();
        throw new Error('undone');
      }).catch(() => undefined);
    },
    beforeUpdate: async ({ set, current, refuse }) => {
      const rows = await current();
      if (rows.some(({ title }) => title.startsWith('locked'))) refuse('It is locked.');
      state.seen.push(['updating', rows.map(({ id }) => id), set]);
    },
    afterUpdate: async ({ rows, db }) => {
      state.seen.push(['updated', rows.map(({ before, after }) => [before.title, after.title])]);
      await db.insertInto('$.journal').values(rows.map(({ after }) => ({ task: after.id, what: 'updated' }))).execute();
    },
    afterDelete: async ({ rows, db, refuse }) => {
      state.seen.push(['deleted', rows.map(({ title }) => title)]);
      if (rows.some(({ title }) => title === 'forever')) refuse('It stays.');
      await db.insertInto('$.journal').values(rows.map(({ id }) => ({ task: id, what: 'deleted' }))).execute();
    },
    afterCommit: ({ operation, affected }) => { state.seen.push(['committed', operation, affected]); },
  },
};

export const custom = { resolvers: [Notes], routes: [mine], hooks };
`;

/** @param words the replacement of each `$name$`; `$` alone is the database's schema */
export const customCode = (words: Readonly<Record<string, string>>, schema: string): string =>
  text
    .replace(/\$([A-Z]+)\$/g, (_, word: string) => words[word] ?? '')
    .replace(/'\$\.(\w+)'/g, (_, name: string) => `'${schema}.${name}'`);
