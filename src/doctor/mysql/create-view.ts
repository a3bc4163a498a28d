import type { MysqlViewFacts } from './facts.js';
import { quotedAccount, quotedPath } from './quote.js';

/** Replaces a view by itself with another definer or with its check of writes. */
export const createView = (view: MysqlViewFacts, definer: string | undefined, checks: boolean): string =>
  `create or replace definer = ${definer === undefined ? 'current_user' : quotedAccount(definer)} sql security ${view.runsAsDefiner ? 'definer' : 'invoker'} view ${quotedPath(view)} as ${view.definition}${checks ? ' with cascaded check option' : ''};`;
