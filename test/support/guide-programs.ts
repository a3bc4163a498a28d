import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { succeed } from './program.js';
import { scratchFolder } from './scratch-folder.js';
import { repository } from './transpile.js';

/** A block of a guide. The name of a file stands above its block, in backquotes. */
export interface GuideBlock {
  readonly file: string | undefined;
  readonly language: string;
  readonly body: string;
}

/** The blocks of a guide, in order. */
export function guideBlocks(text: string): readonly GuideBlock[] {
  const block = /(?:^`([^`\n]+)`\n\n)?^```(\w+)\n([^]*?)^```$/gm;
  return [...text.matchAll(block)].map(([, file, language = '', body = '']) => ({ file, language, body }));
}

/**
 * Writes this output into the block after the commands, where the guide shows it in this language.
 */
export function withOutput(text: string, commands: string, languages: readonly string[], output: string): string {
  const shown = new RegExp(
    `(\`\`\`sh\\n${escaped(commands)}\\n\`\`\`\\n\\n(?:[^\`\\n]+\\n\\n)?)\`\`\`(${languages.join('|')})\\n[^]*?^\`\`\``,
    'm',
  );
  return text.replace(
    shown,
    (_, head: string, language: string) => `${head}\`\`\`${language}\n${output.trimEnd()}\n\`\`\``,
  );
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Compares a guide with what its commands printed. UPDATE_DOCS=1 rewrites it; read it before you
 * commit.
 */
export async function expectGuide(path: string, written: string): Promise<void> {
  const formatted = await format(written, { ...(await resolveConfig(path)), filepath: path });
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, formatted);
  expect(await readFile(path, 'utf8')).toBe(formatted);
}

/** An empty folder, and the environment of a shell in it. */
export interface GuideFolder {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  remove(): Promise<void>;
}

/**
 * A folder for the commands of a guide. The packages come from this repository: nothing is
 * installed, and `npx` finds the built command line.
 */
export async function makeGuideFolder(): Promise<GuideFolder> {
  const folder = await scratchFolder('guide');
  const programs = await scratchFolder('guide-programs');
  await writePrograms(programs);
  return {
    folder,
    environment: {
      APP_SCHEMAS: undefined,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      PATH: `${programs}:${join(repository, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    },
    remove: async () => {
      for (const each of [folder, programs]) await rm(each, { recursive: true, force: true });
    },
  };
}

async function writePrograms(programs: string): Promise<void> {
  const psql = `import pg from 'pg';
import { readFileSync } from 'node:fs';
const args = process.argv.slice(2);
const client = new pg.Client({ connectionString: args[0] });
await client.connect();
for (const [at, option] of args.entries()) {
  if (option === '-f') await client.query(readFileSync(args[at + 1], 'utf8'));
  if (option === '-c') await client.query(args[at + 1]);
}
await client.end();`;
  await writeFile(join(programs, 'psql.mjs'), psql);
  const npm = (await succeed('sh', ['-c', 'command -v npm'])).trim();
  const cli = `exec node '${join(repository, 'bin/tablewright.js')}'`;
  const scripts = {
    psql: `exec node '${join(programs, 'psql.mjs')}' "$@"`,
    createdb: 'exit 0',
    tablewright: `${cli} "$@"`,
    npx: `case "$1" in tablewright) shift; ${cli} "$@";; *) exec "$@";; esac`,
    npm: `case "$1" in install|ci) exit 0;; *) exec '${npm}' "$@";; esac`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, name), 0o755);
  }
}
