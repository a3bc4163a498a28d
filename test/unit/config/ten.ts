import type { UserConfig } from '../../../src/config/define-config.js';

type Key = keyof UserConfig;

/** The settings that most projects need: a sentence, and an example that a test validates. */
export const ten: readonly { readonly [K in Key]: readonly [K, NonNullable<UserConfig[K]>, string] }[Key][] = [
  [
    'app.datasource.url',
    'postgres://shop_app@db.example.com/shop',
    'The database. Write it into the environment as `DATABASE_URL`, because the file is committed.',
  ],
  ['schemas', ['shop'], 'The database schemas to serve; without it, all except system schemas.'],
  ['exclude', ['shop.customers.password_hash'], 'Tables, columns and functions that no client may see.'],
  ['app.max-rows', 100, 'The longest list that a client receives; it reads longer ones page by page.'],
  ['app.security.jwt-enabled', true, 'Verify tokens, so that policies and rules know the caller.'],
  [
    'app.security.auth.jwks-url',
    'https://login.example.com/jwks.json',
    'Where the identity provider publishes its keys.',
  ],
  ['app.datasource.pool-size', 20, 'Connections of one server process; all processes share the limit of the database.'],
  ['app.server.host', '0.0.0.0', 'Accept connections from other machines, for example in a container.'],
  ['app.cors.origins', ['https://shop.example.com'], 'Sites whose pages may call the server from a browser.'],
  ['app.changes.source', 'wal', 'Send committed changes to GraphQL subscriptions.'],
];
