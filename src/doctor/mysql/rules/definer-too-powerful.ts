import { afterReview, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import type { MysqlSubject } from '../subject.js';

export const definerTooPowerful: Rule<MysqlSubject> = {
  code: 'definer-too-powerful',
  severities: ['warning'],
  title: 'Procedures that clients call with the rights of an administrator',
  why: 'A procedure with SQL SECURITY DEFINER, the default, may do all that the account that made it may. A mistake in it reaches as far.',
  find: ({ facts, catalog, serving, filters }) => {
    if (!serving.verification && filters.length === 0) return [];
    const called = new Set(catalog.routines.filter(({ kind }) => kind === 'procedure').map((each) => pathOf(each)));
    return facts.programs
      .filter(({ kind, definer }) => kind === 'procedure' && facts.administrators.includes(definer))
      .filter((program) => called.has(pathOf(program)))
      .map((program) => ({
        severity: 'warning',
        kind: 'function',
        object: pathOf(program),
        message: `The procedure ${pathOf(program)} runs as ${program.definer}, who may do anything.`,
        remedy: afterReview(
          [],
          'Create it again with a definer that has only the necessary rights, or with SQL SECURITY INVOKER.',
        ),
      }));
  },
};
