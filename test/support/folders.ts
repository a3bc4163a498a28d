import { mkdtemp, mkdir, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes an empty temporary folder; the returned function removes it. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tablewright-')));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export async function writeTree(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/**
 * The content of a folder: text and modification time of each file, and the folders, as `path/`.
 */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) tree[`${name}/`] = 'folder';
    else if (entry.isSymbolicLink()) tree[name] = `link to ${await readlink(path)}`;
    else tree[name] = `${String((await stat(path)).mtimeMs)} ${await readFile(path, 'utf8')}`;
  }
  return tree;
}

/** The texts of a folder's files. */
export async function texts(folder: string): Promise<Record<string, string>> {
  const entries = Object.entries(await treeOf(folder)).filter(([name]) => !name.endsWith('/'));
  return Object.fromEntries(entries.map(([name, value]) => [name, value.slice(value.indexOf(' ') + 1)]));
}
