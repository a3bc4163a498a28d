import { defineConfig } from 'tablewright';

// The demo's server on MariaDB. Its database comes from the environment: DATABASE_URL=mysql://…
export default defineConfig({
  // Views that filter by user are served in the place of these tables: my_notifications and my_orders.
  exclude: ['*.notifications', '*.customers', '*.orders', '*.order_items'],

  // Tokens are verified with this key; its user id reaches the views.
  'app.security.jwt-enabled': true,
  'app.security.auth.public-key-file': 'keys/public-key.pem',
});
