import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { copyOutside, copyTexts, outside } from './outside.js';
import { slugify } from './slug.js';

const docs = join(import.meta.dirname, '..');

/** The title of a page is its first heading, so that the menu and the page never disagree. */
function item(name) {
  const [, text = name] = /^# (.+)$/m.exec(readFileSync(join(docs, `${name}.md`), 'utf8')) ?? [];
  return { text: text.replaceAll('`', ''), link: `/${name}` };
}

const group = (text, names, collapsed = false) => ({ text, collapsed, items: names.map(item) });

const decisions = readdirSync(join(docs, 'decisions'))
  .filter((name) => /^\d+-.*\.md$/.test(name))
  .map((name) => `decisions/${name.slice(0, -'.md'.length)}`);

export default defineConfig({
  outDir: '../.tmp/site',
  cacheDir: '../.tmp/site-cache',
  title: 'Tablewright',
  description: 'Turn a SQL database into a typed GraphQL and REST server in readable TypeScript that you own.',
  cleanUrls: true,
  base: process.env.SITE_BASE ?? '/',
  buildEnd: ({ outDir }) => Promise.all([copyOutside(outDir), copyTexts(outDir)]),
  markdown: { config: (md) => md.use(outside), anchor: { slugify } },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar: [
      group('Start', ['tutorial', 'comparison', 'from-postgrest']),
      group('Requests', ['graphql', 'rest', 'postgrest', 'writes', 'subscriptions', 'functions', 'relay', 'agents']),
      group('Your server', ['generated-project', 'extending', 'transactions', 'names', 'console']),
      group('Security', ['security', 'identity', 'row-rules', 'doctor']),
      group('Operation', [
        'deploying',
        'hosting',
        'scaling',
        'tenants',
        'migrations',
        'drift',
        'observability',
        'recipes',
        'mysql',
      ]),
      group('Reference', ['configuration', 'cli', 'operators', 'errors', 'stability']),
      group('Speed', ['performance', 'measuring']),
      group(
        'Maintainers',
        ['decisions/contract', 'decisions/good-first-issues', 'decisions/dependencies', ...decisions],
        true,
      ),
    ],
  },
});
