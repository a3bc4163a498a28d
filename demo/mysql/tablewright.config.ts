import { defineConfig } from 'tablewright';

// The demo's server on MariaDB. Its database comes from the environment: DATABASE_URL=mysql://…
export default defineConfig({
  // Views that filter by who asks are served in the place of these tables: my_notifications and my_orders.
  exclude: ['*.notifications', '*.customers', '*.orders', '*.order_items'],

  // Tokens are verified with this key; the views see who asks.
  'app.security.jwt-enabled': true,
  'app.security.auth.public-key-file': 'keys/public-key.pem',
});
