import { createClient } from '@supabase/supabase-js';
import { calls, geoCalls, type Client } from './calls.js';

/** Makes every call and prints each answer. The URL of a project is the URL above `/rest/v1`. */
const client: Client = createClient(process.env['BASE'] ?? '', process.env['KEY'] ?? 'sb_publishable_key', {
  // Node.js 20 has no WebSocket, and no data call opens one.
  realtime: { transport: class {} as never },
});
const answers: Record<string, unknown> = {};
for (const [name, call] of Object.entries(process.env['CALLS'] === 'geoCalls' ? geoCalls : calls))
  answers[name] = await call(client);
console.log(JSON.stringify(answers));
process.exit(0);
