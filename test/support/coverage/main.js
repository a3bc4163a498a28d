import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { codeLines, describeLines } from './lines.js';
import { addDump } from './dump.js';

/** Runs suites and prints which lines ran, in Jest's workers and in all processes that they started. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const [dumps, reports] = [join(root, '.tmp/coverage'), join(root, 'coverage')];

const node = (args, env) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
const bin = (name) => createRequire(import.meta.url).resolve(name);

// The build of the tool has no source maps. Those of the runtime and the console are published.
node([bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--sourceMap', '--incremental', 'false'], process.env);
rmSync(dumps, { recursive: true, force: true });
const jest = join(dirname(bin('jest/package.json')), 'bin/jest.js');
const { status } = node(['--max-semi-space-size=64', jest, ...process.argv.slice(2)], {
  ...process.env,
  NODE_V8_COVERAGE: dumps,
});

const ran = new Map();
for (const name of readdirSync(dumps)) addDump(JSON.parse(readFileSync(join(dumps, name), 'utf8')), ran);

const folders = new Map();
const uncovered = [];
for (const path of globSync(['src/**/*.ts', '{runtime,console}/src/**/*.ts'], {
  cwd: root,
  ignore: ['**/*.d.ts'],
}).sort()) {
  const lines = codeLines(readFileSync(join(root, path), 'utf8'), path);
  const left = lines.filter((line) => !(ran.get(join(root, path))?.has(line) ?? false));
  const folder = folders.get(dirname(path)) ?? { lines: 0, left: 0 };
  folders.set(dirname(path), { lines: folder.lines + lines.length, left: folder.left + left.length });
  if (left.length > 0) uncovered.push(`${path}: ${describeLines(left)}`);
}
for (const [folder, { lines, left }] of folders) {
  const part = lines === 0 ? 100 : Math.floor(((lines - left) / lines) * 1000) / 10;
  console.log(
    `${part.toFixed(1).padStart(5)} %  ${String(lines - left).padStart(5)} of ${String(lines).padEnd(5)} ${folder}`,
  );
}
mkdirSync(reports, { recursive: true });
writeFileSync(join(reports, 'uncovered.txt'), `${uncovered.join('\n')}\n`);
console.log(`Lines that did not run: ${relative(root, join(reports, 'uncovered.txt'))}`);
process.exitCode = status ?? 1;
