import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `docs/llms.txt`: the pages of the documentation, for programs. Source: https://llmstxt.org */
const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'docs/llms.txt');
const read = (path) => readFileSync(join(root, path), 'utf8');

/** Pages that no reader with a task looks for. */
const others = new Set(['index.md']);

/** What README.md says a page is for; otherwise its first sentence. */
function purposeOf(name, text) {
  const [, listed] =
    new RegExp(`^\\| \\[docs/${name.replace('.', '\\.')}\\][^|]*\\| (.*?) +\\|$`, 'm').exec(read('README.md')) ?? [];
  const [, first = ''] = /^# .*\n+(?:<!--[^]*?-->\n+)?([^#|`<-][^]*?[.:])(?:\s|$)/m.exec(text) ?? [];
  return (listed ?? first)
    .trim()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/[.:]$/, '');
}

export function llmsText() {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && !others.has(name));
  const lines = pages.sort().map((name) => {
    const text = read(`docs/${name}`);
    const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
    return `- [${title}](${name}): ${purposeOf(name, text)}`;
  });
  const { description } = JSON.parse(read('package.json'));
  return `# Tablewright

> ${description}

Each page is about one task. Examples on them are run by tests.

## Pages

${lines.join('\n')}

## Optional

- [Decisions](decisions/README.md): why it is built as it is, with figures
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, llmsText());
