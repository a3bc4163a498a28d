import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { mysqlRules, rules, type Rule } from '../../src/doctor/index.js';
import { tablewright } from '../support/cli.js';
import { temporaryFolder } from '../support/folders.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../support/postgres.js';
import { runScript } from '../support/psql.js';

const path = join(import.meta.dirname, '../../docs/doctor.md');

/**
 * The name has the length of the name in the guide, because the length decides where lines wrap.
 */
const role = `notes_${randomBytes(3).toString('hex')}`;

let database: TestDatabase;
let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  database = await createTestDatabase('doctor_guide');
  ({ folder, remove } = await temporaryFolder());
});
afterAll(async () => {
  await database.drop();
  await loadSql(new URL('/postgres', database.url).href, `drop role if exists ${role}`);
  await remove();
});

/** A block of the guide. */
const block = /^```(\w+)\n([^]*?)^```$/gm;

test('the guide shows what the doctor says, from the flaws to the mended database', async () => {
  const text = await readFile(path, 'utf8');
  let written = text;
  let command: string | undefined;
  for (const [whole, language = '', body = ''] of text.matchAll(block)) {
    if (language === 'sh') command = body.trim();
    else if (command !== undefined) {
      const output = await run(command);
      written = written.replace(`\`\`\`sh\n${command}\n\`\`\`\n\n${whole}`, () =>
        shown(command ?? '', language, output),
      );
      if (language === 'sql') await runScript(database.url, output);
      command = undefined;
    } else if (language === 'sql') await loadSql(database.url, body.replaceAll('notes_server', role));
    else if (language === 'ts') await writeFile(join(folder, 'tablewright.config.ts'), body);
  }
  for (const [mark, table] of [
    ['rules', ruleTable(rules)],
    ['mysql-rules', ruleTable(mysqlRules)],
  ] as const) {
    written = written.replace(
      new RegExp(`(<!-- ${mark} -->)[^]*(<!-- /${mark} -->)`),
      (_, start: string, end: string) => [start, table, end].join('\n\n'),
    );
  }
  const formatted = await format(written, { ...(await resolveConfig(path)), filepath: path });
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, formatted);
  expect(await readFile(path, 'utf8')).toBe(formatted);
});

async function run(command: string): Promise<string> {
  const args = command.replaceAll('notes_server', role).split(' ').slice(2);
  const { stdout, stderr } = await tablewright(args, { cwd: folder, env: { DATABASE_URL: database.url } });
  expect(stderr).toBe('');
  return stdout.replaceAll(role, 'notes_server');
}

/** The age of the statistics varies, so the guide always shows 0 days. */
const shown = (command: string, language: string, output: string): string =>
  `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`${language}\n${output.replace(/are (\d+ days?|1 day) old/, 'are 0 days old')}\`\`\``;

function ruleTable(rules: readonly Pick<Rule, 'code' | 'severities' | 'title' | 'why'>[]): string {
  const rows = rules.map(
    ({ code, severities, title, why }) => `| \`${code}\` | ${severities.join(', ')} | ${title}. ${why} |`,
  );
  return ['| rule | severity | |', '| --- | --- | --- |', ...rows].join('\n');
}
