import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import MarkdownIt from 'markdown-it';
// The site makes its anchors with it.
import { slugify } from '../../docs/.vitepress/slug.js';
import { repository } from '../support/transpile.js';

const parser = new MarkdownIt({ html: true });
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(repository, path)))
  // What `generate` writes links into the generated project.
  .filter((path) => !/^(?:templates|generated-example|test)\//.test(path));

interface Page {
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
}

const read = new Map<string, Page>();

/** The anchors and links of a page. A second heading with the same text gets the suffix -1. */
function pageOf(path: string): Page {
  const known = read.get(path);
  if (known !== undefined) return known;
  const anchors = new Set<string>();
  const links: string[] = [];
  const tokens = parser.parse(readFileSync(join(repository, path), 'utf8'), {});
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'inline') continue;
    const children = token.children ?? [];
    links.push(...children.filter(({ type }) => type === 'link_open').map((link) => String(link.attrGet('href'))));
    if (tokens[at - 1]?.type !== 'heading_open') continue;
    const slug = slugify(children.map(({ content }) => content).join(''));
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  const page = { anchors, links };
  read.set(path, page);
  return page;
}

/** Links that lead to no file, or to no heading of it. */
function brokenLinks(path: string): readonly string[] {
  return pageOf(path).links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : relative(repository, join(repository, dirname(path), decodeURI(file)));
    if (!existsSync(join(repository, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !pageOf(target).anchors.has(decodeURI(anchor));
  });
}

test.each(pages)('the links of %s lead somewhere', (path) => {
  expect(brokenLinks(path)).toEqual([]);
});
