export { ruleCodes, type RuleCode } from './codes.js';
export { countBySeverity, diagnose, reaches, type DiagnoseOptions, type Diagnosis } from './diagnose.js';
export { severities, type Finding, type Remedy, type Rule, type Severity } from './finding.js';
export type { DoctorOptions, Silence } from './options.js';
export { readFacts } from './read.js';
export { rules } from './rules/index.js';
export { mendingScript } from './script.js';
export { createSubject, type Serving, type Subject } from './subject.js';
