import { Patterns } from '@tablewright/runtime/model';
import type { RuleCode } from './codes.js';
import type { AppliedRule, Examined, SkippedRule } from './examination.js';
import { severities, type Finding, type Severity } from './finding.js';
import type { DoctorOptions, Silence } from './options.js';

export interface Diagnosis {
  /** The rules that were applied. */
  readonly rules: readonly AppliedRule[];
  /** By severity, then in the order of the rules, then by object. */
  readonly findings: readonly Finding[];
  readonly silenced: readonly (Finding & { readonly reason: string })[];
  /** Silences of the configuration that silence nothing any more. */
  readonly unusedSilences: readonly Silence[];
  readonly skipped: readonly SkippedRule[];
}

export interface DiagnoseOptions extends DoctorOptions {
  /** Only these rules. */
  readonly rules?: readonly RuleCode[] | undefined;
}

/** Applies the rules. Pure: the same facts give the same findings in the same order. */
export function diagnose(examined: Examined, options: DiagnoseOptions = {}): Diagnosis {
  const applied = examined.rules.filter(({ code }) => options.rules?.includes(code) ?? true);
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
    skipped: examined.skipped.filter(({ rule }) => codes.includes(rule)),
  };
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
