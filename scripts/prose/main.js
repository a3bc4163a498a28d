import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { problemsOfMarkdown } from './markdown.js';

/** Generated tables of figures, and fixtures of tests. */
const excluded = /^(bench|test|generated-example)\//;
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { encoding: 'utf8' });
const problems = listed
  .split('\n')
  .filter((path) => path !== '' && !excluded.test(path))
  .flatMap((path) => problemsOfMarkdown(readFileSync(path, 'utf8')).map((problem) => ({ path, ...problem })));
for (const { path, line, words, advice } of problems) console.error(`${path}:${line}: "${words}": ${advice}`);
if (problems.length > 0) process.exitCode = 1;
