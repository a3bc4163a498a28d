import { afterReview, alone, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import { createView } from '../create-view.js';
import type { MysqlSubject } from '../subject.js';

export const definerAbsent: Rule<MysqlSubject> = {
  code: 'definer-absent',
  severities: ['error'],
  title: 'Views and routines of accounts that are gone',
  why: 'They run with the rights of the account that made them. If the account does not exist, for example after a dump was loaded on another server, every use of them fails.',
  find: ({ facts }) => {
    const { accounts } = facts;
    if (accounts === null) return [];
    return facts.programs
      .filter(({ definer }) => !accounts.includes(definer))
      .map((program) => {
        const view = facts.views.find((each) => program.kind === 'view' && pathOf(each) === pathOf(program));
        return {
          severity: 'error',
          kind: program.kind === 'view' ? 'view' : 'function',
          object: pathOf(program),
          message: `The ${program.kind} ${pathOf(program)} runs as ${program.definer}, and there is no such account.`,
          remedy:
            view === undefined
              ? afterReview([], 'Create it again with an existing account as its definer.')
              : alone(
                  [createView(view, undefined, view.checksWrites)],
                  'It makes the account that runs this its owner: choose one that may read the tables and no more.',
                ),
        };
      });
  },
};
