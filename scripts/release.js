/**
 * `npm run release`: packs the three packages, checks them as their users get them, and publishes
 * them. `--dry-run` does all of it but the last step. `--set VERSION` only writes the version into the
 * packages and the CHANGELOG, for a commit that is then tagged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createJiti } from 'jiti';
import pg from 'pg';

const root = join(import.meta.dirname, '..');
const manifests = ['package.json', 'runtime/package.json', 'console/package.json'];
const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, set: { type: 'string' } } });

if (options.set === undefined) await release(options['dry-run'] === true);
else await setVersion(options.set);

async function release(dry) {
  const version = await commonVersion();
  await requireChanges(version, dry);
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-release-'));
  try {
    await run('npm', ['pack', '--workspaces', '--include-workspace-root', '--pack-destination', folder]);
    const tarballs = ['tablewright-runtime', 'tablewright-console', 'tablewright'].map((name) =>
      join(folder, `${name}-${version}.tgz`),
    );
    for (const tarball of tarballs) {
      await run('npx', ['--yes', 'publint@0.3', tarball, '--strict']);
      // Node.js 20.19 and later load modules with `require`; declarations for older ones do not exist.
      await run('npx', ['--yes', '@arethetypeswrong/cli@0.18', tarball, '--profile', 'esm-only', '--format', 'ascii']);
    }
    await tryAsUser(folder, tarballs);
    if (dry) return void console.log(`${version} can be published.`);
    for (const tarball of tarballs)
      await run('npm', ['publish', tarball, '--access', 'public', ...(process.env.CI ? ['--provenance'] : [])]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Three packages of one version, each of which asks for the others in that version. */
async function commonVersion() {
  const packages = await Promise.all(manifests.map(readManifest));
  const versions = new Set(packages.map(({ version }) => version));
  const [version] = versions;
  const wanted = packages.flatMap(({ dependencies = {}, peerDependencies = {} }) =>
    Object.entries({ ...dependencies, ...peerDependencies }).filter(([name]) => name.startsWith('@tablewright/')),
  );
  if (versions.size !== 1 || wanted.some(([, range]) => range !== `^${version}`))
    throw new Error('The packages have several versions: npm run release -- --set VERSION makes them equal.');
  return version;
}

async function requireChanges(version, dry) {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  if (dry || changelog.includes(`\n## [${version}]`)) return;
  throw new Error(`CHANGELOG.md has no section ${version}.`);
}

/** Installs the packages in an empty folder, and runs the commands that a newcomer starts with. */
async function tryAsUser(folder, tarballs) {
  const user = join(folder, 'user');
  await mkdir(user);
  await writeFile(join(user, 'package.json'), '{ "private": true }\n');
  const { devDependencies } = await readManifest('package.json');
  const pglite = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'].map(
    (name) => `${name}@${devDependencies[name]}`,
  );
  const install = ['install', '--no-audit', '--no-fund', ...tarballs, ...pglite];
  const at = { cwd: user };
  await run('npm', install, at);
  await run('node', ['-e', "require('@tablewright/runtime'); require('tablewright')"], at);
  await run('npx', ['tablewright', 'demo', '--check', '--folder', 'demo', '--port', '4877'], at);
  const database = ['--url', 'pglite:demo/data'];
  await run('npx', ['tablewright', 'generate', ...database, '--out', 'server'], at);
  const server = join(user, 'server');
  await run('npm', install, { cwd: server });
  await run('npx', ['tablewright', 'check', '--url', 'pglite:../demo/data'], { cwd: server });
  await run('npm', ['run', 'build'], { cwd: server });
  await answers(['npm', 'start'], server, 'pglite:../demo/data');
  await tryDev(join(user, 'dev'), join(server, 'node_modules'));
}

/** Begins a project with `dev`. PGlite is open in one process at a time, so it needs a database server. */
async function tryDev(folder, packages) {
  const { startEmbedded } = await createJiti(import.meta.url).import('../test/support/embedded.ts');
  const postgres = await startEmbedded();
  try {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query('create table notes (id int primary key, title text not null)');
    await client.end();
    await mkdir(folder);
    await run('npx', ['tablewright', 'init', '--yes'], { cwd: folder });
    await rename(packages, join(folder, 'node_modules'));
    await answers(['npx', 'tablewright', 'dev'], folder, postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** Starts a server, waits until it is ready, and ends it as Ctrl-C does. */
async function answers([program, ...args], cwd, url) {
  const env = { ...process.env, DATABASE_URL: url, PORT: '4877', HOST: '127.0.0.1' };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  const ended = once(child, 'exit');
  const over = Date.now() + 120_000;
  while (!(await fetch('http://127.0.0.1:4877/health/ready').catch(() => undefined))?.ok) {
    if (child.exitCode !== null || Date.now() > over) throw new Error(`${program} ${args.join(' ')} serves nothing.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  process.kill(-child.pid, 'SIGINT');
  await ended;
  console.log(`${program} ${args.join(' ')}: serves the database, and ends.`);
}

async function setVersion(version) {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) throw new Error(`${version} is no version, such as 0.2.0.`);
  const before = (await readManifest('package.json')).version;
  for (const path of manifests) {
    const text = await readFile(join(root, path), 'utf8');
    const changed = text
      .replace(`"version": "${before}"`, `"version": "${version}"`)
      .replaceAll(/("@tablewright\/\w+": )"\^[^"]+"/g, `$1"^${version}"`);
    await writeFile(join(root, path), changed);
  }
  await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund']);
  const changelog = join(root, 'CHANGELOG.md');
  const text = await readFile(changelog, 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  await writeFile(changelog, text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`));
}

async function readManifest(path) {
  return JSON.parse(await readFile(join(root, path), 'utf8'));
}

/** Runs a program, shows its output, and throws when it fails. */
async function run(program, args, { cwd = root } = {}) {
  console.log(`$ ${[program, ...args].join(' ')}`);
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
}
