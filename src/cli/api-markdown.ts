import type { ApiReport, ChangeGroup } from '../api/index.js';
import { countText } from './api-text.js';
import { printable } from './table.js';

/** The first line: by it a pipeline finds its comment again, to replace it. */
export const marker = '<!-- tablewright diff --api -->';

/** GitHub refuses a comment of more than 65,536 characters. */
const maxCharacters = 60_000;

/** A report as the comment on a pull request. */
export function apiMarkdown(report: ApiReport): string {
  const { groups, counts } = report;
  if (groups.length === 0) return [marker, '### API: no difference', '', ...operations(report)].join('\n');
  const head = [
    marker,
    `### API: ${counts.breaking > 0 ? '❌' : counts.dangerous > 0 ? '⚠️' : '✅'} ${countText(counts)}`,
    '',
    ...operations(report),
  ];
  const rows = groups.map(groupRow);
  const table = ['| | change | GraphQL | REST |', '| --- | --- | --- | --- |'];
  const room = maxCharacters - [...head, ...table].join('\n').length;
  const shown = fitting(rows, room);
  const more = rows.length - shown.length;
  return [
    ...head,
    ...table,
    ...shown,
    ...(more > 0 ? ['', `And ${more} more: \`npx tablewright diff --api\` lists all.`] : []),
  ].join('\n');
}

function fitting(rows: readonly string[], room: number): readonly string[] {
  let length = 0;
  return rows.filter((row) => (length += row.length + 1) <= room);
}

function groupRow(group: ChangeGroup): string {
  const cell = (protocol: 'graphql' | 'rest'): string => {
    const changes = group.changes.filter((each) => each.protocol === protocol);
    const [first] = changes;
    if (first === undefined) return '';
    if (changes.length === 1) return escaped(first.description);
    const items = changes.map(({ description }) => `<li>${escaped(description)}</li>`).join('');
    return `<details><summary>${escaped(first.description)} (${changes.length})</summary><ul>${items}</ul></details>`;
  };
  return `| **${group.severity}** | ${escaped(group.reason)} | ${cell('graphql')} | ${cell('rest')} |`;
}

function operations({ operations: found }: ApiReport): readonly string[] {
  if (found === undefined) return [];
  const { checked, breaking, broken } = found;
  if (broken.length === 0) return [`None of ${checked} recorded operations breaks.`, ''];
  return [
    `${breaking} of ${checked} recorded operations ${breaking === 1 ? 'breaks' : 'break'}:`,
    '',
    ...broken
      .slice(0, 100)
      .map(
        ({ file, line, operation, message }) =>
          `- \`${code(`${file}:${line}`)}\` ${escaped(`${operation}: ${message}`)}`,
      ),
    ...(broken.length > 100 ? [`- and ${broken.length - 100} more`] : []),
    '',
  ];
}

/** Names come from the database: they are shown, and are neither markup nor mentions. */
const escaped = (text: string): string =>
  printable(text)
    .replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character)
    .replace(/[\\`*_{}[\]#|~@!]/g, (character) => `\\${character}`);

const code = (text: string): string => printable(text).replaceAll('`', "'");
