import { severities, type ApiReport, type ChangeGroup, type Severity } from '../api/index.js';
import { printable, renderTable } from './table.js';
import type { Colors } from './terminal.js';

/** As many changes of one cause and protocol are shown where not all are asked for. */
const maxOfAGroup = 2;

/** A report for a terminal. `whole`: every change, not only the first ones of each cause. */
export function apiLines(report: ApiReport, colors: Colors, whole: boolean): readonly string[] {
  const { groups, operations } = report;
  if (groups.length === 0) return ['Clients of the API see no difference.', ...operationLines(operations, colors)];
  return [
    ...groups.flatMap((group) => [...groupLines(group, colors, whole), '']),
    ...operationLines(operations, colors),
    colors.bold(`${countText(report.counts)}.`),
    ...(groups.some((group) => rest(group, whole) > 0) ? ['--verbose shows every change.'] : []),
  ];
}

/** `2 breaking, 0 dangerous and 3 safe changes` */
export const countText = ({ breaking, dangerous, safe }: ApiReport['counts']): string =>
  `${breaking} breaking, ${dangerous} dangerous and ${safe} safe ${safe === 1 ? 'change' : 'changes'}`;

function groupLines(group: ChangeGroup, colors: Colors, whole: boolean): readonly string[] {
  const { severity, reason } = group;
  const lines = (['graphql', 'rest'] as const).flatMap((protocol) => {
    const changes = group.changes.filter((each) => each.protocol === protocol);
    const shown = whole ? changes : changes.slice(0, maxOfAGroup);
    const label = { graphql: 'GraphQL', rest: 'REST   ' }[protocol];
    const more = changes.length - shown.length;
    return [
      ...shown.map((each, at) => {
        const note = each.severity === severity ? '' : colors.dim(` (${each.severity})`);
        return `  ${at === 0 ? label : '       '}  ${printable(each.description)}${note}`;
      }),
      ...(more > 0 ? [colors.dim(`           and ${more} more`)] : []),
    ];
  });
  return [`${paint(colors, severity)(severity)}  ${colors.bold(printable(reason))}`, ...lines];
}

const rest = ({ changes }: ChangeGroup, whole: boolean): number =>
  whole
    ? 0
    : ['graphql', 'rest']
        .map((protocol) => changes.filter((each) => each.protocol === protocol).length - maxOfAGroup)
        .reduce((sum, more) => sum + Math.max(more, 0), 0);

function operationLines(operations: ApiReport['operations'], colors: Colors): readonly string[] {
  if (operations === undefined) return [];
  const { checked, breaking, broken } = operations;
  if (broken.length === 0) return [colors.green(`None of ${checked} recorded operations breaks.`), ''];
  return [
    colors.red(`${breaking} of ${checked} recorded operations ${breaking === 1 ? 'breaks' : 'break'}:`),
    ...broken.map(
      ({ file, line, operation, message }) =>
        `  ${printable(`${file}:${line}`)}  ${printable(`${operation}: ${message}`)}`,
    ),
    '',
  ];
}

/** `--stat`: a line for each table. */
export function statLines({ changes, counts, operations }: ApiReport, colors: Colors): readonly string[] {
  const objects = [...new Set(changes.map(objectOf))];
  const rows = objects.map((object) => {
    const own = changes.filter((each) => objectOf(each) === object);
    return [object, ...severities.map((severity) => String(own.filter((each) => each.severity === severity).length))];
  });
  const total = ['total', ...severities.map((severity) => String(counts[severity]))];
  const lines =
    objects.length === 0
      ? ['Clients of the API see no difference.']
      : renderTable([['', ...severities], ...rows, total]).map((line, at, all) =>
          at === all.length - 1 ? colors.bold(line) : line,
        );
  return [
    ...lines,
    ...(operations === undefined
      ? []
      : [
          `${operations.breaking} of ${operations.checked} recorded operations ${operations.breaking === 1 ? 'breaks' : 'break'}`,
        ]),
  ];
}

const objectOf = ({ table, object }: ApiReport['changes'][number]): string => table ?? object ?? 'other';

const paint = ({ red, yellow, green }: Colors, severity: Severity): ((text: string) => string) =>
  ({ breaking: red, dangerous: yellow, safe: green })[severity];
