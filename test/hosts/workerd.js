// Serves a Worker by the runtime of Cloudflare Workers: node workerd.js WORKER FLAG…
// Its variables are in WORKER_BINDINGS, as JSON.
import { Miniflare } from 'miniflare';

const [scriptPath, ...compatibilityFlags] = process.argv.slice(2);
const { HOST, PORT, WORKER_BINDINGS = '{}' } = process.env;

await new Miniflare({
  modules: true,
  scriptPath,
  compatibilityDate: '2026-04-01',
  compatibilityFlags,
  bindings: JSON.parse(WORKER_BINDINGS),
  host: HOST,
  port: Number(PORT),
  cf: false,
}).ready;
