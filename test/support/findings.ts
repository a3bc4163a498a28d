import type { Finding } from '../../src/doctor/index.js';

/** The members of a finding that tests compare. */
export type Seen = Pick<Finding, 'severity' | 'object' | 'message'>;

export const seen = (findings: readonly Finding[]): readonly Seen[] =>
  findings.map(({ severity, object, message }) => ({ severity, object, message }));

export const objectsOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ object }) => object);

export const sqlOf = (findings: readonly Finding[]): readonly string[] => findings.flatMap(({ remedy }) => remedy.sql);
