import type { Dialect } from '@tablewright/runtime/model';
import { dialects } from '../dialects/index.js';
import type { Finding } from './finding.js';

/**
 * One script that fixes the findings, for psql or mariadb. First the statements of one transaction,
 * then the statements outside of it, then, as comments, the statements that need a decision.
 */
export function mendingScript(findings: readonly Finding[], dialect: Dialect): string {
  const of = (run: Finding['remedy']['run']): readonly Finding[] =>
    findings.filter(({ remedy }) => remedy.run === run && remedy.sql.length > 0);
  const sections = [
    section('In one transaction: all of it, or nothing.', of('transaction'), {
      before: ['begin;'],
      after: ['commit;'],
    }),
    section(dialects[dialect].script.alone, of('alone')),
    section(
      'These statements need a decision: remove the dashes of those to run. They change which rows people see, or may break working code.',
      of('review'),
      { commented: true },
    ),
  ].filter((text) => text !== '');
  const head = `-- Written by tablewright doctor. Read it, then run it: ${dialects[dialect].script.run}`;
  return [head, ...(sections.length === 0 ? ['-- Nothing to fix.'] : sections)].join('\n\n');
}

interface Form {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  readonly commented?: boolean;
}

function section(title: string, findings: readonly Finding[], form: Form = {}): string {
  if (findings.length === 0) return '';
  const written = new Set<string>();
  const blocks = findings.flatMap((finding) => {
    const { sql, note } = finding.remedy;
    // The same statement may fix two findings.
    const statements = sql.filter((each) => !written.has(each));
    for (const each of statements) written.add(each);
    if (statements.length === 0) return [];
    const comments = [`-- ${finding.rule}: ${finding.message}`, ...(note === null ? [] : [`-- ${note}`])];
    const lines = form.commented === true ? statements.flatMap(commentedOut) : statements;
    return [[...comments.map(oneLine), ...lines].join('\n')];
  });
  return [`-- ${title}`, ...(form.before ?? []), ...blocks, ...(form.after ?? [])].join('\n\n');
}

const commentedOut = (statement: string): readonly string[] => statement.split('\n').map((line) => `-- ${line}`);

/** A name of the database may hold a line end, which would end the comment. */
const oneLine = (comment: string): string => comment.replace(/[\r\n\u2028\u2029]+/g, ' ');
