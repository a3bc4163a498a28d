import type { BoundStatement } from '../../../runtime/src/plan/statement.js';
import { createWriteDatabase, driverOf, startWriteServer, type WriteDatabase, schema } from './support/server.js';

/** 100,000 rows in one POST: one statement with one JSON parameter. */
test('100,000 rows are one statement with one parameter', async () => {
  // Where an AFTER trigger may change rows, the answer is a second statement.
  const db: WriteDatabase = await createWriteDatabase(`${schema} alter table ops.people disable trigger count_people;`);
  const ran: (readonly BoundStatement[])[] = [];
  const driver = driverOf(db.roleUrl);
  const counting = {
    ...driver,
    run: (...[statements, options]: Parameters<typeof driver.run>) => {
      if (options?.write === true) ran.push(statements);
      return driver.run(statements, options);
    },
  };
  const server = await startWriteServer(db, { driver: counting, environment: { APP_LIMITS_BODY_BYTES: '50000000' } });
  try {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({
      name: `Name ${at}`,
      email: `e${at}`,
      tags: ['a', 'b'],
      points: at,
    }));
    const body = JSON.stringify(rows);
    const headers = { 'content-type': 'application/json', prefer: 'return=minimal, count=exact' };
    const reply = await server.send('POST', '/api/v1/people', headers, body);
    expect([reply.status, reply.headers['content-range']]).toEqual([204, '*/100000']);
    expect(ran).toHaveLength(1);
    expect(ran[0]).toHaveLength(1);
    // The parameter is the client's own text: the server does not encode it again.
    expect(ran[0]?.[0]?.values).toEqual([body]);
    expect(
      await db.query(
        "select count(*)::int as n, sum(points)::int8 as s from ops.people where email like 'e%' and tags = '{a,b}'",
      ),
    ).toEqual([{ n: 100_000, s: '4999950000' }]);

    const ragged = rows.map(({ email, name, points }, at) => ({
      email: `r${email}`,
      name,
      ...(at % 2 === 0 ? { points } : {}),
    }));
    const again = await server.send(
      'POST',
      '/api/v1/people?select=points',
      { 'content-type': 'application/json' },
      JSON.stringify(ragged),
    );
    expect(again.status).toBe(201);
    const answered = JSON.parse(again.text) as { readonly points: number }[];
    expect(answered.map(({ points }) => points)).toEqual(rows.map((_, at) => (at % 2 === 0 ? at : 10)));
    expect(ran).toHaveLength(2);
  } finally {
    await server.stop();
    await db.drop();
  }
});
