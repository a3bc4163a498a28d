/**
 * Writes console/browser/: the third-party programs that pages load, each compressed, with their
 * licences. `npm run build` and `npm run demo` run this script, which writes only if packages or this
 * folder changed. `--smallest` is for the published package: it takes 15 s longer for files that are
 * a tenth smaller.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve as resolvePath } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'esbuild';

const here = import.meta.dirname;
const folder = join(here, '../browser');
const stampFile = join(folder, '.stamp');
const compress = promisify(brotliCompress);
const { resolve } = createRequire(import.meta.url);

/** The lock file has the version of every bundled package. */
async function stamp() {
  const hash = createHash('sha256').update(await readFile(join(here, '../../package-lock.json')));
  for (const name of (await readdir(here)).sort()) hash.update(name).update(await readFile(join(here, name)));
  return hash.digest('hex');
}

const quality = process.argv.includes('--smallest') ? constants.BROTLI_MAX_QUALITY : 5;

async function write(name, text) {
  const bytes = Buffer.from(text);
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  };
  await writeFile(join(folder, `${name}.br`), await compress(bytes, options));
}

/** Source maps are not shipped, so a browser's request for one would get 404. */
const withoutMap = (text) => text.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=[^\n]*/g, '');

async function swagger() {
  const from = dirname(resolve('swagger-ui-dist/package.json'));
  const text = (name) => readFile(join(from, name), 'utf8');
  await write('swagger-ui.js', withoutMap(await text('swagger-ui-bundle.js')));
  await write('swagger-ui.css', withoutMap(await text('swagger-ui.css')));
  const licences = [await text('NOTICE'), await text('LICENSE'), await text('swagger-ui-bundle.js.LICENSE.txt')];
  await writeFile(join(folder, 'swagger-ui.LICENSE.txt'), licences.join('\n\n'));
}

const workers = {
  'graphiql-editor': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'graphiql-json': 'monaco-editor/esm/vs/language/json/json.worker.js',
  'graphiql-graphql': 'monaco-graphql/esm/graphql.worker.js',
};

/** The browser's own fonts are enough: GraphiQL's fonts are a third of its style sheet. */
const withoutFonts = (css) => css.replace(/@font-face\{font-family:(?:Roboto|Fira Code);[^}]*\}/g, '');

async function graphiql() {
  const common = {
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: folder,
    platform: 'browser',
    target: 'es2022',
    loader: { '.ttf': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'error',
  };
  const page = await build({
    ...common,
    entryPoints: { graphiql: './graphiql.js' },
    format: 'esm',
    splitting: true,
    chunkNames: 'graphiql-[hash]',
  });
  // Workers are classic scripts, because older browsers do not support module workers.
  const worked = await build({ ...common, entryPoints: workers, format: 'iife' });
  for (const { path, text } of [...page.outputFiles, ...worked.outputFiles]) {
    const name = basename(path);
    if (name === 'graphiql.css') await write(name, withoutFonts(text));
    // The page's style sheet already has the styles of chunks that load later.
    else if (!name.endsWith('.css')) await write(name, text);
  }
  await writeFile(join(folder, 'graphiql.LICENSE.txt'), await licencesOf([page.metafile, worked.metafile]));
}

/** The licences of all bundled packages. */
async function licencesOf(metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(resolvePath(here, path));
      if (found !== null) folders.add(found[1]);
    }
  }
  const texts = [...folders].sort().map(async (path) => {
    const { name, version, license } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
    const files = (await readdir(path)).filter((each) => /^(?:licen[cs]e|notice|thirdpartynotices)/i.test(each)).sort();
    const own = await Promise.all(files.map((each) => readFile(join(path, each), 'utf8')));
    return [`${name} ${version}: ${license}`, ...own].join('\n\n');
  });
  return (await Promise.all(texts)).join(`\n\n${'-'.repeat(80)}\n\n`);
}

const wanted = await stamp();
const [present, presentQuality] = (await readFile(stampFile, 'utf8').catch(() => '')).split(' ');
if (wanted !== present || Number(presentQuality) < quality) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await Promise.all([swagger(), graphiql()]);
  await writeFile(stampFile, `${wanted} ${quality}`);
}
