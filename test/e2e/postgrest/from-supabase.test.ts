import { SignJWT } from 'jose';
import { markdownBlocks } from '../../support/readme.js';
import { serveOrchestra, type Served } from './served.js';

/** Roles are the cluster's, so that suites have their own. */
const suffix = `_${process.pid}`;
const settings = Object.fromEntries(
  (markdownBlocks('docs/from-postgrest.md', 'From Supabase').find(({ language }) => language === 'sh')?.text ?? '')
    .replace(/\b(anon|authenticated)\b/g, `$1${suffix}`)
    .split('\n')
    .map((line) => line.split(/=(.*)/s) as [string, string]),
);
const [anon, authenticated] = [`anon${suffix}`, `authenticated${suffix}`];

const sql = `
create role ${anon} nologin; create role ${authenticated} nologin;
create role data_api${suffix} login noinherit;
grant ${anon}, ${authenticated} to data_api${suffix};
grant usage on schema public to ${anon}, ${authenticated};
create schema auth;
grant usage on schema auth to ${anon}, ${authenticated};
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;
create table profiles (id uuid primary key, name text not null, is_public boolean not null default false);
insert into profiles values
  ('00000000-0000-0000-0000-000000000001', 'Ada', false), ('00000000-0000-0000-0000-000000000002', 'Bo', true);
alter table profiles enable row level security;
create policy everyone on profiles for select to ${anon}, ${authenticated} using (is_public);
create policy own on profiles for all to ${authenticated} using ((select auth.uid()) = id);
grant select on profiles to ${anon};
grant select, update on profiles to ${authenticated};
`;

/** The configuration of docs/from-postgrest.md, with the roles, policies and tokens of Supabase. */
describe('a project of Supabase', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serveOrchestra({ functions: undefined }, settings, sql, {
      role: `data_api${suffix}`,
      lastSql: `drop owned by ${anon}, ${authenticated}; drop role ${anon}, ${authenticated}, data_api${suffix}`,
    });
  });

  afterAll(() => served.stop());

  const token = (claims: object): Promise<string> =>
    new SignJWT({ aud: 'authenticated', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(settings['APP_SECURITY_AUTH_SECRET']));
  const names = async (key: string, method = 'GET'): Promise<unknown> => {
    const response = await fetch(
      `${served.base}/rest/v1/profiles?select=name&name=neq.Cy${method === 'GET' ? '&order=name' : ''}`,
      {
        method,
        headers: {
          apikey: key,
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          prefer: 'return=representation',
        },
        ...(method === 'PATCH' ? { body: JSON.stringify({ is_public: false }) } : {}),
      },
    );
    return [response.status, await response.json()];
  };

  test('a publishable key is the role anon', async () => {
    expect(await names('sb_publishable_key')).toEqual([200, [{ name: 'Bo' }]]);
  });

  test('the key that is a token of anon is, too', async () => {
    expect(await names(await token({ role: anon, iss: 'supabase' }))).toEqual([200, [{ name: 'Bo' }]]);
  });

  test('a user sees own rows by auth.uid(), and writes them alone', async () => {
    const ada = await token({ role: authenticated, sub: '00000000-0000-0000-0000-000000000001' });
    expect(await names(ada)).toEqual([200, [{ name: 'Ada' }, { name: 'Bo' }]]);
    expect(await names(ada, 'PATCH')).toEqual([200, [{ name: 'Ada' }]]);
  });

  test('no token chooses service_role', async () => {
    const [status] = (await names(await token({ role: 'service_role' }))) as [number];
    expect(status).toBe(403);
  });
});
