import { defineConfig } from 'tablewright';

// The demo's server. Its database comes from the environment: DATABASE_URL=pglite:data
export default defineConfig({
  schemas: ['kanban', 'shop'],

  // The definition of this view does not show its key, nor the table that its key refers to.
  keys: { 'shop.product_sales': ['product_id'] },
  relations: {
    'shop.product_sales': [{ columns: ['product_id'], table: 'shop.products', references: ['id'] }],
  },

  // The server verifies tokens with this key, and policies get the user. PGlite connects as a
  // superuser, to whom no policy applies, so every request switches to a role that is subject to
  // policies.
  'app.security.jwt-enabled': true,
  'app.security.auth.public-key-file': 'keys/public-key.pem',
  'app.security.anonymous-role': 'tablewright_demo',
  'app.security.default-role': 'tablewright_demo',

  // GraphQL subscriptions get committed changes from triggers, because PGlite has no readable log.
  'app.changes.source': 'notify',

  // `npx tablewright doctor` looks for unsafe or slow parts of the database. It ignores these
  // findings, for the given reasons.
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
