/**
 * Runs `npm test` several times in a fresh clone, and prints a table: its duration, processor time and
 * failures, and the cost of a connection and of a process on this machine at that time.
 *
 *     node test/support/run/repeat.js --times 10               # alone
 *     node test/support/run/repeat.js --times 5 --busy 4       # beside four processes that never rest
 *     node test/support/run/repeat.js --times 1 --folder /root/shop   # below a folder of root's alone
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import pg from 'pg';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    busy: { type: 'string', default: '0' },
    folder: { type: 'string' },
  },
});

process.exitCode = (await main(Number(values.times), Number(values.busy), values.folder)) ? 0 : 1;

async function main(times, busy, parent) {
  if (parent !== undefined) await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent ?? tmpdir(), 'tablewright-repeat-'));
  const hogs = [];
  try {
    await run('git', ['clone', '--quiet', root, folder]);
    await run('npm', ['ci', '--no-audit', '--no-fund'], folder);
    for (let at = 0; at < busy; at += 1) hogs.push(spawn(process.execPath, ['-e', 'for (;;);']));
    console.log(
      '| run | seconds | processor s | passed | failed | a TCP connection, ms | a session of PostgreSQL, ms | a process, ms |',
    );
    console.log('| --: | --: | --: | --: | --: | --: | --: | --: |');
    let isGreen = true;
    for (let at = 1; at <= times; at += 1) {
      const row = await measure(folder);
      isGreen &&= row.code === 0;
      const cells = [at, row.seconds, row.processor, row.passed, row.failed, ...(await costs())];
      console.log(
        `| ${cells.map((cell) => (typeof cell === 'number' ? Number(cell.toFixed(1)) : cell)).join(' | ')} |`,
      );
      for (const line of row.failures) console.log(line);
    }
    return isGreen;
  } finally {
    for (const hog of hogs) hog.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder) {
  const report = join(folder, '.tmp/repeat.json');
  await rm(report, { force: true });
  const began = performance.now();
  const before = await childSeconds();
  const code = await run('npm', ['test', '--', '--json', `--outputFile=${report}`, '--silent'], folder, 'ignore', true);
  const result = JSON.parse(await readFile(report, 'utf8').catch(() => '{"testResults":[]}'));
  const failures = result.testResults.flatMap(({ name, message, status }) =>
    status === 'failed' ? [`failed: ${name.slice(folder.length + 1)}\n${message.slice(0, 2000)}`] : [],
  );
  return {
    code,
    seconds: (performance.now() - began) / 1000,
    processor: (await childSeconds()) - before,
    passed: result.numPassedTests ?? 0,
    failed: (result.numFailedTests ?? 1) + (result.numRuntimeErrorTestSuites ?? 0),
    failures,
  };
}

/** Processor seconds of ended children and of their children: proc(5), "stat", cutime and cstime. */
async function childSeconds() {
  const text = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(13, 15).reduce((total, ticks) => total + Number(ticks), 0) / 100;
}

/** Medians of 20, in ms. PostgreSQL is the one at TEST_DATABASE_URL, or the one of this machine. */
async function costs() {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tcp = await median(async () => {
    const socket = connect(server.address().port, '127.0.0.1').resume();
    await once(socket, 'close');
  });
  server.close();
  const connectionString = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const session = await median(async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.end();
  }).catch(() => 'no server');
  return [tcp, session, await median(() => run('true', []))];
}

async function median(action) {
  const times = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const began = performance.now();
    await action();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[10];
}

async function run(program, args, cwd = root, stdio = 'inherit', mayFail = false) {
  const child = spawn(program, args, { cwd, stdio });
  const [code] = await once(child, 'exit');
  if (code !== 0 && !mayFail) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}`);
  return code;
}
