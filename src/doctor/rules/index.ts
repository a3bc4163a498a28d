import type { Rule } from '../finding.js';
import { changesNotReported } from './changes-not-reported.js';
import { definerCallable } from './definer-callable.js';
import { definerSearchPath } from './definer-search-path.js';
import { duplicateIndex } from './duplicate-index.js';
import { foreignKeyWithoutIndex } from './foreign-key-without-index.js';
import { integerKeyNearEnd } from './integer-key-near-end.js';
import { materializedViewBypassesPolicies } from './materialized-view-bypasses-policies.js';
import { policiesNotEnabled } from './policies-not-enabled.js';
import { policyCallPerRow } from './policy-call-per-row.js';
import { policyCastWithoutNullif } from './policy-cast-without-nullif.js';
import { policyWithoutIndex } from './policy-without-index.js';
import { roleBypassesPolicies } from './role-bypasses-policies.js';
import { roleNotUsable } from './role-not-usable.js';
import { roleTooPowerful } from './role-too-powerful.js';
import { rowSecurityNotForced } from './row-security-not-forced.js';
import { rowSecurityOff } from './row-security-off.js';
import { rowSecurityWithoutPolicy } from './row-security-without-policy.js';
import { rowsOnOtherServers } from './rows-on-other-servers.js';
import { sequenceNearEnd } from './sequence-near-end.js';
import { tableWithoutKey } from './table-without-key.js';
import { tableWithoutRule } from './table-without-rule.js';
import { tsvectorWithoutIndex } from './tsvector-without-index.js';
import { unusedIndex } from './unused-index.js';
import { vectorWithoutIndex } from './vector-without-index.js';
import { viewBypassesPolicies } from './view-bypasses-policies.js';
import { volatileRowFunction } from './volatile-row-function.js';

/** Every rule, in the order of the codes. */
export const rules: readonly Rule[] = [
  roleNotUsable,
  roleBypassesPolicies,
  roleTooPowerful,
  policiesNotEnabled,
  rowSecurityNotForced,
  rowSecurityOff,
  tableWithoutRule,
  rowSecurityWithoutPolicy,
  viewBypassesPolicies,
  materializedViewBypassesPolicies,
  definerSearchPath,
  definerCallable,
  policyCastWithoutNullif,
  policyCallPerRow,
  policyWithoutIndex,
  foreignKeyWithoutIndex,
  tsvectorWithoutIndex,
  vectorWithoutIndex,
  duplicateIndex,
  unusedIndex,
  tableWithoutKey,
  rowsOnOtherServers,
  changesNotReported,
  sequenceNearEnd,
  integerKeyNearEnd,
  volatileRowFunction,
];
