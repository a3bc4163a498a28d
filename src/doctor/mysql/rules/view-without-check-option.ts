import { alone, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import { createView } from '../create-view.js';
import type { MysqlSubject } from '../subject.js';

export const viewWithoutCheckOption: Rule<MysqlSubject> = {
  code: 'view-without-check-option',
  severities: ['error'],
  title: 'Views that filter reads, but accept writes of any row',
  why: 'Without WITH CHECK OPTION a view hides the rows of others but lets everyone write them: an insert or update may make a row of another user.',
  find: ({ filters, served }) =>
    filters
      .filter((view) => !view.checksWrites)
      .filter((view) => served.some((each) => pathOf(each) === pathOf(view) && (each.insertable || each.updatable)))
      .map((view) => ({
        severity: 'error',
        kind: 'view',
        object: pathOf(view),
        message: `${pathOf(view)} filters by user and can be written, but it has no WITH CHECK OPTION.`,
        remedy: alone([createView(view, view.definer, true)]),
      })),
};
