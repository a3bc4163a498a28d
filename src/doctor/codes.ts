/** The stable codes of the rules, in the order of docs/doctor.md. */
export const ruleCodes = [
  'role-not-usable',
  'role-bypasses-policies',
  'role-too-powerful',
  'policies-not-enabled',
  'row-security-not-forced',
  'row-security-off',
  'row-security-without-policy',
  'view-bypasses-policies',
  'materialized-view-bypasses-policies',
  'definer-search-path',
  'policy-cast-without-nullif',
  'policy-call-per-row',
  'policy-without-index',
  'foreign-key-without-index',
  'tsvector-without-index',
  'vector-without-index',
  'duplicate-index',
  'unused-index',
  'table-without-key',
  'changes-not-reported',
  'sequence-near-end',
  'integer-key-near-end',
  'volatile-row-function',
] as const;

export type RuleCode = (typeof ruleCodes)[number];
