import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect, fingerprint, readCatalog } from '../../runtime/src/generator.js';
import { median, timed } from '../harness/figures.js';
import { repository, runNode, type Finished } from '../harness/child.js';
import { generate } from '../harness/project.js';
import { progress } from '../harness/report.js';
import type { Figure } from './figures.js';

/** Time to read the database: the median of three. */
export async function measureCatalogue(url: string): Promise<Figure[]> {
  progress('Reading the catalogue');
  const connection = await connect(url);
  try {
    const reads = [];
    for (let round = 0; round < 3; round += 1) reads.push(await timed(() => readCatalog(connection)));
    const catalog = reads[0]?.result;
    if (catalog === undefined) throw new Error('Nothing was read.');
    const hashes = [];
    for (let round = 0; round < 3; round += 1) hashes.push((await timed(() => fingerprint(catalog))).seconds);
    return [
      { what: 'introspection', value: median(reads.map((read) => read.seconds)), unit: 's', atMost: 1 },
      { what: 'fingerprint', value: median(hashes), unit: 's', atMost: 0.2 },
    ];
  } finally {
    await connection.close();
  }
}

/** Runs `tablewright generate` twice: the second run has nothing to write. */
export async function measureGeneration(url: string, folder: string): Promise<Figure[]> {
  progress('Generating');
  const first = await generate(url, folder);
  const written = modified(folder);
  progress('Generating again');
  const second = await generate(url, folder);
  const again = modified(folder);
  const touched = [...again].filter(([path, time]) => written.get(path) !== time).map(([path]) => path);
  return [
    { what: 'generate', value: first.seconds, unit: 's', atMost: 8 },
    { what: 'its processor time', value: first.processorSeconds, unit: 's' },
    { what: 'its memory, at most', value: first.peakMemory, unit: 'MB', atMost: 700 },
    { what: 'files', value: written.size, unit: 'files' },
    { what: 'generate again', value: second.seconds, unit: 's', atMost: 6 },
    { what: 'its processor time', value: second.processorSeconds, unit: 's' },
    { what: 'files it wrote', value: touched.length, unit: 'files', atMost: 0 },
  ];
}

/** With 3,000 tables tsc needs more than Node's default limit of 4 GB. In megabytes. */
const HEAP = '--max-old-space-size=12288';

const compile = async (folder: string, ...options: readonly string[]): Promise<Finished> =>
  await runNode([HEAP, join(repository, 'node_modules/typescript/bin/tsc'), '-p', folder, ...options], folder);

/** Compiles the generated project without and with type checks. */
export async function measureCompilation(folder: string): Promise<Figure[]> {
  progress('Compiling');
  const transpiled = await compile(folder, '--noCheck');
  const checked = await compile(folder);
  return [
    { what: 'transpile (tsc --noCheck)', value: transpiled.seconds, unit: 's' },
    { what: 'npm run build (tsc, checked)', value: checked.seconds, unit: 's' },
    { what: 'its processor time', value: checked.processorSeconds, unit: 's' },
    { what: 'its memory, at most', value: checked.peakMemory, unit: 'MB' },
  ];
}

/** Every file below a folder, with its modification time. */
function modified(folder: string): ReadonlyMap<string, number> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).mtimeMs]),
  );
}
