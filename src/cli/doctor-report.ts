import { countBySeverity, type Diagnosis, type Finding, type RuleCode, type Severity } from '../doctor/index.js';
import { printable } from './table.js';
import type { Colors } from './terminal.js';

const width = 80;

/** As many findings of a rule are shown where not all are asked for. */
const maxOfARule = 3;

/** The findings by rule, for a person. `whole`: all of them, each with its SQL. */
export function reportLines(diagnosis: Diagnosis, colors: Colors, whole: boolean): readonly string[] {
  const groups = new Map<RuleCode, Finding[]>();
  for (const finding of diagnosis.findings) {
    groups.set(finding.rule, [...(groups.get(finding.rule) ?? []), finding]);
  }
  return [
    ...[...groups].flatMap(([rule, findings]) => [...groupLines(diagnosis, rule, findings, colors, whole), '']),
    ...remarks(diagnosis).flatMap((remark) => wrapped(remark)),
    colors.bold(summary(diagnosis)),
    ...(diagnosis.findings.some(({ remedy }) => remedy.sql.length > 0)
      ? ['The SQL that fixes them: tablewright doctor --sql']
      : []),
  ];
}

function groupLines(
  { rules }: Diagnosis,
  code: RuleCode,
  findings: readonly Finding[],
  colors: Colors,
  whole: boolean,
): readonly string[] {
  const rule = rules.find((each) => each.code === code);
  const severity = findings[0]?.severity ?? 'info';
  const shown = whole ? findings : findings.slice(0, maxOfARule);
  const rest = findings.length - shown.length;
  return [
    `${paint(colors, severity)(severity)} ${colors.bold(code)} (${findings.length})`,
    ...wrapped(`${rule?.title ?? ''}. ${rule?.why ?? ''}`, '  ').map(colors.dim),
    ...shown.flatMap((finding) => findingLines(finding, severity, colors, whole)),
    ...(rest > 0 ? [`  and ${rest} more: tablewright doctor --rule ${code}`] : []),
  ];
}

function findingLines(finding: Finding, common: Severity, { dim }: Colors, whole: boolean): readonly string[] {
  const { severity, message, remedy } = finding;
  const text = severity === common ? message : `${severity}: ${message}`;
  const lines = wrapped(printable(text), '    ').map((line, at) => (at === 0 ? `  - ${line.trimStart()}` : line));
  if (!whole) return lines;
  return [
    ...lines,
    ...(remedy.note === null ? [] : wrapped(printable(remedy.note), '    ').map(dim)),
    // Users copy statements, so their line ends stay and no line is wrapped.
    ...remedy.sql.flatMap((statement) => statement.split('\n').map((line) => `      ${printable(line)}`)),
  ];
}

function remarks({ skipped, unusedSilences }: Diagnosis): readonly string[] {
  return [
    ...skipped.map(({ rule, reason }) => `${rule} was not checked. ${reason}`),
    ...unusedSilences.map(
      ({ rule, objects }) =>
        `The configuration silences ${rule}${objects === undefined ? '' : ` of ${objects.join(', ')}`}, which the doctor no longer finds.`,
    ),
  ].map(printable);
}

function summary({ findings, silenced }: Diagnosis): string {
  const { error, warning, info } = countBySeverity(findings);
  const known = silenced.length === 0 ? '' : `; ${silenced.length} silenced by the configuration`;
  if (findings.length === 0) return `Nothing found${known}.`;
  return `${counted(error, 'error')}, ${counted(warning, 'warning')}, ${info} info${known}.`;
}

const counted = (count: number, what: string): string => (count === 1 ? `1 ${what}` : `${count} ${what}s`);

const paint = ({ red, yellow, cyan }: Colors, severity: Severity): ((text: string) => string) =>
  ({ error: red, warning: yellow, info: cyan })[severity];

/** Lines of at most 80 columns. A word that is longer than a line is cut. */
function wrapped(text: string, indent = ''): readonly string[] {
  const most = width - indent.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => each.match(new RegExp(`.{1,${most}}`, 'gsu')) ?? [])) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => indent + each);
}
