import type { Finding } from '../../src/doctor/index.js';

/** What a test sees of a finding. */
export type Seen = Pick<Finding, 'severity' | 'object' | 'message'>;

export const seen = (findings: readonly Finding[]): readonly Seen[] =>
  findings.map(({ severity, object, message }) => ({ severity, object, message }));

export const objectsOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ object }) => object);

export const sqlOf = (findings: readonly Finding[]): readonly string[] => findings.flatMap(({ remedy }) => remedy.sql);
