import { defineConfig } from 'tablewright';

// The demo's server. Its database comes from the environment: DATABASE_URL=pglite:data
export default defineConfig({
  schemas: ['kanban', 'shop'],

  // What the definition of a view does not show: which column tells its rows apart, and what that column refers to.
  keys: { 'shop.product_sales': ['product_id'] },
  relations: {
    'shop.product_sales': [{ columns: ['product_id'], table: 'shop.products', references: ['id'] }],
  },

  // Tokens are verified with this key; policies see who asks. PGlite knows its superuser only, whom no policy stops:
  // so every request runs as a role that they do stop.
  'app.security.jwt-enabled': true,
  'app.security.auth.public-key-file': 'keys/public-key.pem',
  'app.security.anonymous-role': 'tablewright_demo',
  'app.security.default-role': 'tablewright_demo',

  // Committed changes come from triggers, for GraphQL subscriptions: a database inside the process has no log to read.
  'app.changes.source': 'notify',

  // `npx tablewright doctor` looks for what is unsafe or slow in the database. What is meant is said here, with a reason.
  doctor: {
    ignore: [
      {
        rule: 'materialized-view-bypasses-policies',
        objects: ['shop.product_sales'],
        reason: 'Sums over all customers, without naming one.',
      },
    ],
  },
});
