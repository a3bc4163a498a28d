import type { Remedy } from '../../finding.js';
import { afterReview, alone, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import type { MysqlFunctionFacts } from '../facts.js';
import { quotedAccount, quotedPath } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

export const filterFunctionPerRow: Rule<MysqlSubject> = {
  code: 'filter-function-per-row',
  severities: ['warning'],
  title: 'Filters that call a function for each row',
  why: 'A function that is not DETERMINISTIC is called for every row, and no index helps a comparison with its result. A variable of the request does not change within a statement.',
  find: (subject) =>
    subject.requestFunctions
      .filter(({ deterministic }) => !deterministic)
      .map((each) => ({
        severity: 'warning',
        kind: 'function',
        object: pathOf(each),
        message: `${pathOf(each)}() reads a variable of the request, and is not DETERMINISTIC.`,
        remedy: remedy(subject, each),
      })),
};

function remedy({ catalog }: MysqlSubject, each: MysqlFunctionFacts): Remedy {
  const routine = catalog.routines.find(({ kind, ...found }) => kind === 'function' && pathOf(found) === pathOf(each));
  if (each.body === null || routine?.arguments.length !== 0) {
    return afterReview([], 'Create the function again, with DETERMINISTIC.');
  }
  const security = each.runsAsDefiner ? 'definer' : 'invoker';
  return alone([
    `create or replace definer = ${quotedAccount(each.definer)} function ${quotedPath(each)}() returns ${each.returns} deterministic ${each.access.toLowerCase()} sql security ${security} ${each.body};`,
  ]);
}
