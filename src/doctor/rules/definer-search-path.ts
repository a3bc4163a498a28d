import type { FunctionFacts } from '../facts.js';
import { inTransaction, type Rule } from '../finding.js';
import { pathOf, quoted, quotedPath } from '../quote.js';

export const definerSearchPath: Rule = {
  code: 'definer-search-path',
  severities: ['warning'],
  title: 'SECURITY DEFINER functions whose search path the caller chooses',
  why: 'Such a function runs with the rights of its owner, but looks names up in the search path of the caller, who can put a table or function of their own in front.',
  find: ({ facts }) =>
    facts.functions
      .filter((each) => each.own && each.securityDefiner && each.searchPath === null)
      .map((each) => ({
        severity: 'warning',
        kind: 'function',
        object: pathOf(each),
        message: `${pathOf(each)}(${each.signature}) is SECURITY DEFINER and sets no search_path.`,
        remedy: inTransaction(
          [
            `alter ${each.kind} ${quotedPath(each)}(${each.signature}) set search_path = ${searchPath(each, facts.publicIsOpen)};`,
          ],
          'Add the schemas that its body names no table or function of by their full name.',
        ),
      })),
};

/**
 * As names are found today, where it is safe: `public` only when not everybody may create something
 * in it.
 */
function searchPath({ schema }: FunctionFacts, publicIsOpen: boolean | null): string {
  const schemas = [
    'pg_catalog',
    schema,
    ...(publicIsOpen === false && schema !== 'public' ? ['public'] : []),
    'pg_temp',
  ];
  return schemas.map(quoted).join(', ');
}
