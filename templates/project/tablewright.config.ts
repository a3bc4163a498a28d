import { defineConfig } from 'tablewright';

// What is generated, and settings of the server. Where the database is, and passwords, come from the environment:
// DATABASE_URL and the like never belong into a file.
export default defineConfig({
  schemas: [{{schemas}}],
  names: {{names}},
  'app.max-rows': 30,
});
