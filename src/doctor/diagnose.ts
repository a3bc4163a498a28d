import { Patterns } from '@tablewright/runtime/model';
import type { RuleCode } from './codes.js';
import { severities, type Finding, type Found, type Rule, type Severity } from './finding.js';
import { mysqlRules } from './mysql/rules/index.js';
import type { MysqlSubject } from './mysql/subject.js';
import type { DoctorOptions, Silence } from './options.js';
import { rules } from './rules/index.js';
import { enoughDays } from './rules/unused-index.js';
import type { Subject } from './subject.js';

export interface Diagnosis {
  /** The rules that were applied. */
  readonly rules: readonly AppliedRule[];
  /** By severity, then in the order of the rules, then by object. */
  readonly findings: readonly Finding[];
  readonly silenced: readonly (Finding & { readonly reason: string })[];
  /** Silences of the configuration that silence nothing any more. */
  readonly unusedSilences: readonly Silence[];
  /** Rules that could not be applied, and why. */
  readonly skipped: readonly { readonly rule: RuleCode; readonly reason: string }[];
}

export interface DiagnoseOptions extends DoctorOptions {
  /** Only these rules. */
  readonly rules?: readonly RuleCode[] | undefined;
}

/** The facts of an examined database, of one dialect. */
export type Examined = Subject | MysqlSubject;

/** A rule, and its application to the examined facts. */
export interface AppliedRule extends Omit<Rule, 'find'> {
  readonly find: () => readonly Found[];
}

/** The rules of the kind of database that was examined. */
function rulesFor(examined: Examined): readonly AppliedRule[] {
  return examined.dialect === 'mysql'
    ? mysqlRules.map((rule) => ({ ...rule, find: () => rule.find(examined) }))
    : rules.map((rule) => ({ ...rule, find: () => rule.find(examined) }));
}

/** Applies the rules. Pure: the same facts give the same findings in the same order. */
export function diagnose(examined: Examined, options: DiagnoseOptions = {}): Diagnosis {
  const applied = rulesFor(examined).filter(({ code }) => options.rules?.includes(code) ?? true);
  const codes = applied.map(({ code }) => code);
  const silences = (options.ignore ?? [])
    .filter(({ rule }) => codes.includes(rule))
    .map((silence) => ({ silence, objects: new Patterns(silence.objects ?? []), used: false }));
  const findings: Finding[] = [];
  const silenced: Diagnosis['silenced'][number][] = [];
  const all = applied.flatMap(({ code, why, find }) =>
    find()
      .map((found): Finding => ({ rule: code, ...found, why }))
      .sort((a, b) => compare(rank(a), rank(b)) || compare(a.object, b.object) || compare(a.message, b.message)),
  );
  for (const finding of all.sort((a, b) => compare(rank(a), rank(b)))) {
    const known = silences.find(
      ({ silence, objects }) =>
        silence.rule === finding.rule && (silence.objects === undefined || objects.matches(finding.object)),
    );
    if (known === undefined) findings.push(finding);
    else {
      known.used = true;
      silenced.push({ ...finding, reason: known.silence.reason });
    }
  }
  return {
    rules: applied,
    findings,
    silenced,
    unusedSilences: silences.filter(({ used }) => !used).map(({ silence }) => silence),
    skipped: skippedRules(examined).filter(({ rule }) => codes.includes(rule)),
  };
}

const skippedRules = (examined: Examined): Diagnosis['skipped'] =>
  examined.dialect === 'mysql' ? unseenAccounts(examined) : youngStatistics(examined);

/** An account that may not read the server's own tables cannot list the accounts. */
const unseenAccounts = ({ facts: { accounts } }: MysqlSubject): Diagnosis['skipped'] =>
  accounts === null
    ? (['definer-absent', 'definer-too-powerful'] as const).map((rule) => ({
        rule,
        reason: 'The doctor may not see other accounts: it needs SELECT on the database mysql.',
      }))
    : [];

function youngStatistics({ facts: { statisticsDays } }: Subject): Diagnosis['skipped'] {
  if (statisticsDays !== null && statisticsDays >= enoughDays) return [];
  const age =
    statisticsDays === null ? 'of unknown age' : statisticsDays === 1 ? '1 day old' : `${statisticsDays} days old`;
  return [
    { rule: 'unused-index', reason: `The statistics of the database are ${age}; ${enoughDays} days say enough.` },
  ];
}

const rank = ({ severity }: { readonly severity: Severity }): number => severities.indexOf(severity);

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** How many findings there are of each severity. */
export function countBySeverity(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

/** Whether a finding is as severe as the threshold, or more. */
export const reaches = ({ severity }: Finding, threshold: Severity): boolean =>
  severities.indexOf(severity) <= severities.indexOf(threshold);
