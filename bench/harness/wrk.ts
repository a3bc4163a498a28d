import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './child.js';
import type { LoadOptions, Outcome } from './load.js';
import type { HttpRequest } from './target.js';

const run = promisify(execFile);

/** Long enough for the answers of the slowest target. A request that takes longer is an error. */
const TIMEOUT_SECONDS = 30;

/**
 * Makes load with wrk. Throws when wrk cannot start, for example when the server refuses
 * connections.
 */
export async function wrk(base: string, { requests, connections, seconds }: LoadOptions): Promise<Outcome> {
  const script = join(repository, '.tmp', `bench-wrk-${randomBytes(5).toString('hex')}.lua`);
  mkdirSync(join(repository, '.tmp'), { recursive: true });
  writeFileSync(script, wrkScript(requests));
  try {
    const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', `${TIMEOUT_SECONDS}s`];
    const { stdout, stderr } = await run('wrk', [...options, '-s', script, base]);
    // For wrk a mistake in the script is only a message: it goes on.
    if (stderr !== '') throw new Error(`wrk says: ${stderr}`);
    return parseWrk(stdout);
  } finally {
    rmSync(script, { force: true });
  }
}

/**
 * The Lua script that wrk runs. It builds the text of every request before it sends the first one,
 * and sends them in turn. At the end it prints one line that begins with RESULT: requests,
 * microseconds, failures, and the median and 99th percentile of the latency in microseconds.
 */
export function wrkScript(requests: readonly HttpRequest[]): string {
  return `local texts, at = {}, 0
init = function()
${requests.map((request) => `  table.insert(texts, ${formatCall(request)})`).join('\n')}
end
request = function()
  at = at % #texts + 1
  return texts[at]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("\\nRESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;
}

/** Parses the line that the script prints. */
export function parseWrk(output: string): Outcome {
  const figures = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output)?.slice(1).map(Number);
  if (figures === undefined) throw new Error(`wrk printed no result:\n${output}`);
  const [requests = NaN, microseconds = NaN, errors = NaN, p50 = NaN, p99 = NaN] = figures;
  return { requests, seconds: microseconds / 1e6, errors, p50: p50 / 1000, p99: p99 / 1000 };
}

function formatCall({ method, path, headers, body }: HttpRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => `[ ${luaString(name)} ] = ${luaString(value)}`);
  const rest = body === undefined ? '' : `, ${luaString(body)}`;
  return `wrk.format(${luaString(method)}, ${luaString(path)}, {${fields.join(', ')}}${rest})`;
}

/**
 * A Lua long bracket, in which only the closing bracket has a meaning. Lua drops a line break right
 * after the opening bracket.
 */
function luaString(text: string): string {
  let equals = '=';
  while (text.includes(`]${equals}]`)) equals += '=';
  return `[${equals}[\n${text}]${equals}]`;
}
