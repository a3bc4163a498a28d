import type { ApiChange, DescribedModel } from './api-change.js';
import { objectNames, type Known } from './compare-lists.js';
import { compareRoutines } from './routine-changes.js';
import { compareTables } from './table-changes.js';
import { compareComposites, compareEnums } from './type-changes.js';

/**
 * The changes for clients from one model to the next, in the order of the tables; empty when
 * nothing has.
 */
export function compareModels(before: DescribedModel, after: DescribedModel): readonly ApiChange[] {
  const known: Known = [objectNames(before), objectNames(after)];
  return [
    ...compareTables(before.tables, after.tables, known),
    ...compareEnums(before, after),
    ...compareComposites(before, after, known),
    ...compareRoutines('PROCEDURE', before.procedures, after.procedures, known),
    ...compareRoutines('FUNCTION', before.functions, after.functions, known),
  ];
}
