import { afterReview, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import type { MysqlSubject } from '../subject.js';

export const definerTooPowerful: Rule<MysqlSubject> = {
  code: 'definer-too-powerful',
  severities: ['warning'],
  title: 'Procedures and functions that clients call with the rights of an administrator',
  why: 'A routine with SQL SECURITY DEFINER, the default, may do all that the account that made it may. A mistake in it reaches as far.',
  find: ({ facts, called, serving, filters }) => {
    if (!serving.verification && filters.length === 0) return [];
    const callable = new Set(called.map((each) => `${each.kind} ${pathOf(each)}`));
    return facts.programs
      .filter((program) => facts.administrators.includes(program.definer))
      .filter((program) => callable.has(`${program.kind} ${pathOf(program)}`))
      .map((program) => ({
        severity: 'warning',
        kind: 'function',
        object: pathOf(program),
        message: `The ${program.kind} ${pathOf(program)} runs as ${program.definer}, who may do anything.`,
        remedy: afterReview(
          [],
          'Create it again with a definer that has only the necessary rights, or with SQL SECURITY INVOKER.',
        ),
      }));
  },
};
