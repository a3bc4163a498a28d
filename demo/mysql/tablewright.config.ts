import { defineConfig } from 'tablewright';

// The demo's server on MariaDB. Its database comes from the environment: DATABASE_URL=mysql://…
export default defineConfig({
  // `issues { assignee { name } }`: the database is the only schema, and names do not repeat it.
  names: { schemaPrefix: 'several', relations: 'simple' },

  // BOOLEAN is another word for it.
  types: { 'tinyint(1)': 'boolean' },

  // The views my_notifications and my_orders, which filter by user, replace these tables.
  exclude: ['*.notifications', '*.customers', '*.orders', '*.order_items'],

  // The server verifies tokens with this key, and the views get the token's user id.
  'app.security.jwt-enabled': true,
  'app.security.auth.public-key-file': 'keys/public-key.pem',
});
