import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform, type Options } from '@swc/core';

/** The committed example, transpiled: what `npm run build` in it would give, without the type check. */
export interface ExampleProgram {
  /** The folder to start `node dist/main.js` in. */
  readonly folder: string;
  remove(): Promise<void>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'generated-example', 'src');

const options: Options = {
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
};

/** Transpiles generated-example/ into a folder inside the repository, where its imports find the packages. */
export async function buildExample(): Promise<ExampleProgram> {
  await mkdir(join(root, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(root, '.tmp', 'example-'));
  const files = await readdir(source, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile() && /\.(ts|json)$/.test(each.name))) {
    const from = join(file.parentPath, file.name);
    const name = relative(source, from);
    if (name.endsWith('.json')) await write(join(folder, 'src', name), await readFile(from, 'utf8'));
    else await write(join(folder, 'dist', name.replace(/\.ts$/, '.js')), await transpiled(from));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

const transpiled = async (file: string): Promise<string> =>
  (await transform(await readFile(file, 'utf8'), { ...options, filename: file })).code;

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
