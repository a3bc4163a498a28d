import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { problemsOfMarkdown, problemsOfSql } from './markdown.js';

/** Generated tables of figures, and fixtures of tests. */
const excluded = /^(bench|test|generated-example)\//;
const problemsIn = (path, text) => (path.endsWith('.sql') ? problemsOfSql(text) : problemsOfMarkdown(text));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md', '*.sql'], { encoding: 'utf8' });
const problems = listed
  .split('\n')
  .filter((path) => path !== '' && !excluded.test(path))
  .flatMap((path) => problemsIn(path, readFileSync(path, 'utf8')).map((problem) => ({ path, ...problem })));
for (const { path, line, words, advice } of problems) console.error(`${path}:${line}: "${words}": ${advice}`);
if (problems.length > 0) process.exitCode = 1;
