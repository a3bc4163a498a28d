import { defineConfig } from 'tablewright';

// The demo's server. Its database comes from the environment: DATABASE_URL=pglite:data
export default defineConfig({
  schemas: ['kanban', 'shop'],

  // Tokens are verified with this key; policies see who asks. PGlite knows its superuser only, whom no policy stops:
  // so every request runs as a role that they do stop.
  'app.security.jwt-enabled': true,
  'app.security.auth.public-key-file': 'keys/public-key.pem',
  'app.security.anonymous-role': 'tablewright_demo',
  'app.security.default-role': 'tablewright_demo',
});
