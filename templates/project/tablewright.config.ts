import { defineConfig } from 'tablewright';

// Options of the generator and settings of the server. The address of the database and passwords
// come from the environment, for example DATABASE_URL: never commit them.
export default defineConfig({
  schemas: [{{schemas}}],
  names: {{names}},
  types: {{types}},
  'app.max-rows': 30,
});
