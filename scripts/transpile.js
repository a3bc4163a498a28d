/**
 * `npm run demo` runs this instead of `npm run build`: it writes the JavaScript of every source file
 * that is newer than its output. It checks no types and writes no declarations; the next build does.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** What the three packages compile: the sources and the folder of their JavaScript. */
const packages = [
  { source: 'runtime/src', output: 'runtime/dist', buildInfo: 'runtime/dist/.tsbuildinfo', sourcemap: true },
  { source: 'console/src', output: 'console/dist', buildInfo: 'console/dist/.tsbuildinfo', sourcemap: false },
  { source: 'src', output: 'dist/src', buildInfo: 'dist/.tsbuildinfo', sourcemap: false },
];

for (const each of packages) {
  const entryPoints = await changed(each);
  if (entryPoints.length === 0) continue;
  // Otherwise the compiler would take these files for its own, and leave the declarations out.
  await rm(join(root, each.buildInfo), { force: true });
  await build({
    absWorkingDir: root,
    entryPoints,
    outbase: each.source,
    outdir: each.output,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: each.sourcemap,
    tsconfig: 'tsconfig.json',
    logLevel: 'warning',
  });
}

async function changed({ source, output }) {
  const files = await readdir(join(root, source), { recursive: true, withFileTypes: true });
  const sources = files
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const configuration = await modified(join(root, 'tsconfig.json'));
  const stale = await Promise.all(
    sources.map(async (file) => {
      const target = join(root, output, relative(join(root, source), file)).replace(/\.ts$/, '.js');
      return (await modified(target)) < Math.max(await modified(file), configuration);
    }),
  );
  return sources.filter((_, index) => stale[index]);
}

/** When a file was changed, in milliseconds; 0 if it does not exist. */
async function modified(path) {
  const found = await stat(path).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}
