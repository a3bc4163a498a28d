import type { Dialect } from '../../runtime/src/dialect/dialect.js';
import { extensions } from '../../runtime/src/extensions/index.js';
import type { Extension, Host, OpenExtension } from '../../runtime/src/server/extension.js';
import { checkTogether, fold, openAll } from '../../runtime/src/server/fold.js';
import { loadSettings } from '../../runtime/src/settings/load-settings.js';
import { readModules } from '../support/reach/imports.js';

/** The seam of optional capabilities: decision 058. */

const namesWith = async (variables: Readonly<Record<string, string>>, custom = {}): Promise<readonly string[]> => {
  const settings = loadSettings({}, variables);
  return (await extensions.load({ settings, custom, hasDriver: false })).map(({ name }) => name);
};

test('a server without settings of its own has no extension', async () => {
  expect(await namesWith({})).toEqual([]);
});

test.each([
  ['postgrest', { APP_REST_POSTGREST: '/rest/v1' }],
  ['rates', { APP_LIMITS_RATES: '[{"per":"user","requests":1,"seconds":1}]' }],
  ['replicas', { APP_DATASOURCE_REPLICAS: 'postgres://a@127.0.0.1/a' }],
  ['roles', { APP_SECURITY_SCHEMA_BY_ROLE: 'true' }],
  ['mcp', { APP_MCP: 'true' }],
  ['base-path', { APP_SERVER_BASE_PATH: '/data' }],
])('%s is loaded for its setting alone', async (name, variables) => {
  expect(await namesWith(variables)).toEqual([name]);
});

test('tenants are loaded for custom code, and exclude what has one database or several APIs', async () => {
  const tenant = (): string => 'a';
  const custom = { tenant, tenants: {} };
  expect(await namesWith({}, custom)).toEqual(['tenants']);
  const settings = loadSettings({}, { APP_SECURITY_SCHEMA_BY_ROLE: 'true' });
  const loaded = await extensions.load({ settings, custom, hasDriver: false });
  expect(() => {
    checkTogether(loaded);
  }).toThrow(expect.objectContaining({ code: 'TW018', message: 'Tenants have one API for all roles.' }) as Error);
});

test('wraps are made in the order of the list, from the inside to the outside', () => {
  const named = (name: string): OpenExtension => ({
    dialect: (next) => ({ ...next, name: `${name}(${next.name})` }),
  });
  const { dialect } = fold([named('replicas'), {}, named('tenants')]);
  expect(dialect({ name: 'PostgreSQL' } as unknown as Dialect).name).toBe('tenants(replicas(PostgreSQL))');
});

test('no extension leaves everything as it is', () => {
  const own = {} as Dialect;
  const none = fold([]);
  expect(none.dialect(own)).toBe(own);
  expect([none.services, none.health(), none.readsOwnDatabase, none.series]).toEqual([{}, {}, true, []]);
});

test('an extension that cannot be opened closes those before it', async () => {
  const closed: string[] = [];
  const opens = (name: string): Extension => ({
    name,
    open: () => ({
      close: () => {
        closed.push(name);
        return Promise.resolve();
      },
    }),
  });
  const fails: Extension = { name: 'fails', open: () => Promise.reject(new Error('It cannot.')) };
  await expect(openAll([opens('one'), opens('two'), fails, opens('three')], {} as Host)).rejects.toThrow('It cannot.');
  expect(closed).toEqual(['one', 'two']);
});

test('the core names no extension, and an extension knows another one by its index alone', () => {
  const modules = readModules(['runtime/src'], { types: true });
  const folderOf = (path: string): string | undefined => /\/runtime\/src\/extensions\/([^/]+)\//.exec(path)?.[1];
  const entries = /\/runtime\/src\/(?:index|console|generated-code|generator|setup)\.ts$|\/testing\//;
  const wrong = [...modules].flatMap(([path, { imports }]) =>
    imports
      .filter((to) => to.includes('/runtime/src/extensions/') && !entries.test(path))
      .filter((to) => {
        if (!path.includes('/runtime/src/extensions/')) return true;
        const [from, other] = [folderOf(path), folderOf(to)];
        return from !== undefined && other !== undefined && from !== other && !to.endsWith('/index.ts');
      })
      .map((to) => `${path} → ${to}`),
  );
  expect(wrong).toEqual([]);
});
