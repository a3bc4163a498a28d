import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The files outside docs/ that pages link to. */
const linked = new Set();

/**
 * A plugin of markdown-it. The site has only the pages of docs/, so a link to another file of the
 * repository leads to a copy of it, as plain text.
 */
export function outside(md) {
  md.core.ruler.push('outside', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : undefined;
      if (!href?.startsWith('../')) continue;
      const [path] = posix.join('docs', posix.dirname(env.relativePath ?? ''), href).split('#');
      if (path.startsWith('docs/')) continue;
      linked.add(path);
      token.attrSet('href', `/source/${path}.txt`);
      token.attrSet('target', '_blank');
    }
  });
}

/** Copies the linked files into the site. Fails for a link that leads to no file. */
export async function copyOutside(site) {
  for (const path of linked) {
    if (!(await stat(join(root, path))).isFile()) throw new Error(`A page links to the folder ${path}.`);
    const target = join(site, 'source', `${path}.txt`);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(root, path), target);
  }
}

/** Copies llms.txt, and the pages that it names as they are written, for readers that are programs. */
export async function copyTexts(site) {
  const docs = join(root, 'docs');
  const names = (await readdir(docs)).filter((name) => name.endsWith('.md') || name === 'llms.txt');
  await Promise.all(names.map((name) => cp(join(docs, name), join(site, name))));
}
