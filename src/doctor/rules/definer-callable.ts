import { afterReview, type Rule } from '../finding.js';
import { pathOf, quotedPath } from '../quote.js';

export const definerCallable: Rule = {
  code: 'definer-callable',
  severities: ['info'],
  title: "SECURITY DEFINER functions that PostgREST's form calls",
  why: 'Without `functions` in the configuration, clients of app.rest.postgrest call every function. Such a function runs with the rights of its owner, and PostgreSQL lets everybody execute it unless that is revoked.',
  find: ({ callable }) =>
    callable
      .filter(({ securityDefiner }) => securityDefiner)
      .map((each) => ({
        severity: 'info',
        kind: 'function',
        object: pathOf(each),
        message: `Clients call ${pathOf(each)}(${each.signature}) with the rights of its owner.`,
        remedy: afterReview(
          [`revoke execute on function ${quotedPath(each)}(${each.signature}) from public;`],
          'Or name the functions that clients call in `functions` of the configuration. Ignore the finding if they are meant to call it.',
        ),
      })),
};
