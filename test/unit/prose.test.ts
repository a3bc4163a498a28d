import { Linter } from 'eslint';
import prose from '../../scripts/prose/eslint-plugin.js';
import { problemsOfMarkdown, problemsOfSql } from '../../scripts/prose/markdown.js';
import { problemsOf } from '../../scripts/prose/rules.js';

/** The linter of prose in `npm run lint`: decision 033. */

describe('sentences that had to be rewritten', () => {
  it.each([
    'MySQL 8.0.19 or later is written for: a server finds out at its start which of the two its database is.',
    'The database refused to tell its catalogue.',
    'none: requests are nobody’s',
    "none: requests are nobody's",
    'The configuration file has a key that means nothing.',
    'Free some.',
    '14 days say enough.',
    'Without a key a row has no name.',
    'Writes go through the same door:',
    'Bring rows of other tables along',
    'Policies hold whoever asks, however.',
    'Become somebody else: whose notifications are these?',
    'Search by likeness',
    'VOLATILE functions are no fields of their rows.',
    'The database has no such table any more.',
    'The the database is ready.',
    `The demo prints ${'a word and '.repeat(13)}ends.`,
  ])('%s', (text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});

describe('sentences that are right', () => {
  it.each([
    'The server detects MySQL or MariaDB at start.',
    'Reading the catalogue failed: permission denied.',
    'Without a primary key, clients cannot address one row.',
    'There is no table of this name, and it is no longer served.',
    'Writes work the same way: they had had no effect.',
  ])('%s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });
});

describe('Markdown', () => {
  it('is read by paragraphs, items and cells, with their lines', () => {
    const text = '# Whoever\n\nFine\nhere.\n\n- an item\n  of somebody\n\n| a |\n| - |\n| anew |\n';
    expect(problemsOfMarkdown(text).map(({ line, words }) => [line, words])).toEqual([
      [1, 'Whoever'],
      [6, 'somebody'],
      [11, 'anew'],
    ]);
  });

  it('has variables of requests in code, which are read by NULLIF', () => {
    const bare = "create policy own on notes using (owner = current_setting('request.user_id', true));";
    const right = [
      "owner = nullif(current_setting('request.user_id', true), '')",
      "owner = NULLIF( (SELECT pg_catalog.current_setting('request.user_id', true)), '')",
      "coalesce(current_setting('request.user_id', true), '')",
      "current_setting('server_version_num')",
    ];
    const fence = (sql: string): string => `A table.\n\n\`\`\`sql\n-- It\n${sql}\n\`\`\`\n`;
    expect(problemsOfMarkdown(fence(bare))).toMatchObject([{ line: 5, words: "current_setting('request.user_id'" }]);
    expect(problemsOfMarkdown(`Read \`(select current_setting('…'))\`.`)).toHaveLength(1);
    expect(problemsOfMarkdown(`Read \`current_setting('request.jwt.claims', true)::json\`.`)).toHaveLength(1);
    expect(problemsOfMarkdown(`<!-- prose-disable-next-line -->\n\n${fence(bare).slice(10)}`)).toEqual([]);
    expect(problemsOfSql(`select 1;\n${bare}`)).toMatchObject([{ line: 2 }]);
    for (const sql of right) expect([problemsOfMarkdown(fence(sql)), problemsOfSql(sql)]).toEqual([[], []]);
  });

  it('is not read in code, and not in a paragraph after a comment that disables it', () => {
    const code = '`somebody`\n\n```sh\nsomebody\n```\n\n    somebody\n';
    expect(problemsOfMarkdown(`${code}\n<!-- prose-disable-next-line -->\n\nsomebody\n`)).toEqual([]);
    expect(problemsOfMarkdown(`${code}\nsomebody\n`)).toHaveLength(1);
  });
});

test('ESLint reads messages in code, and neither keys nor code spans', () => {
  const code = [
    "throw new Error('The key ' + name + ' means nothing.');",
    "const keys = ['anew', 'a `somebody` here'];",
    'const text = `${name} refused to tell it.`;',
    'const query = sql`select one of somebody`;',
    `const hint = "owner = current_setting('request.user_id', true)";`,
  ].join('\n');
  const found = new Linter().verify(code, { plugins: { prose }, rules: { 'prose/messages': 'error' } });
  expect(found.map(({ line, message }) => [line, message.split(':')[0]])).toEqual([
    [1, '"means nothing"'],
    [3, '"tell"'],
    [5, `"current_setting('request.user_id'"`],
  ]);
});
