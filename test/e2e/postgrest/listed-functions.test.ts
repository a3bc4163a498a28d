import { serveDatabase } from '../../support/served-database.js';

const sql = `
create table t (id int primary key);
create function unnamed(int, int) returns int language sql immutable as 'select $1 + $2';
create function named(a int) returns int language sql immutable as 'select a';`;

// PostgREST calls no functions whose arguments have no names; GraphQL has them if they are listed.
test('generated code lists what PostgREST calls, also if that is nothing', async () => {
  const served = await serveDatabase('listed_functions', [sql], {
    functions: ['public.unnamed'],
    'app.rest.postgrest': '/rest/v1',
  });
  try {
    const get = (path: string): Promise<Response> => fetch(`${served.server.base}${path}`);
    expect((await get('/api/v1/rpc/unnamed?arg1=1&arg2=2')).status).toBe(200);
    // The hint names functions that can be called.
    for (const query of ['unnamed?arg1=1&arg2=2', 'unnamed', 'named?a=1'])
      expect(await (await get(`/rest/v1/rpc/${query}`)).json()).toMatchObject({ code: 'PGRST202', hint: null });
  } finally {
    await served.stop();
  }
});
