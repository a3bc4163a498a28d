import type { Rule } from '../../finding.js';
import { tableWithoutRule } from '../../rules/table-without-rule.js';
import type { MysqlSubject } from '../subject.js';
import { definerAbsent } from './definer-absent.js';
import { definerTooPowerful } from './definer-too-powerful.js';
import { duplicateIndex } from './duplicate-index.js';
import { filterFunctionPerRow } from './filter-function-per-row.js';
import { integerKeyNearEnd } from './integer-key-near-end.js';
import { roleTooPowerful } from './role-too-powerful.js';
import { tableNotFiltered } from './table-not-filtered.js';
import { tableWithoutKey } from './table-without-key.js';
import { tableWithoutTransactions } from './table-without-transactions.js';
import { viewWithoutCheckOption } from './view-without-check-option.js';

/**
 * Every rule of MariaDB, in the order of the codes. InnoDB makes the index of a foreign key itself.
 */
export const mysqlRules: readonly Rule<MysqlSubject>[] = [
  roleTooPowerful,
  tableNotFiltered,
  tableWithoutRule,
  viewWithoutCheckOption,
  filterFunctionPerRow,
  definerAbsent,
  definerTooPowerful,
  duplicateIndex,
  tableWithoutKey,
  tableWithoutTransactions,
  integerKeyNearEnd,
];
