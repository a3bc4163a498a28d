import { planDetails, type PlanOptions } from '../../../plan/statement.js';

/** A request for the execution plan of another request. */
export interface AskedPlan extends PlanOptions {
  /** The media type that the planned request asks for. */
  readonly form: string;
  /** Whether the answer has the statement and its parameters, too: an option of this server. */
  readonly withStatement?: true;
}

const plan = /^\s*application\/vnd\.pgrst\.plan(?:\+(json|text))?\s*(?:;(.*))?$/is;
const parameter = /([a-z]+)\s*=\s*(?:"([^"]*)"|([^;]*))/gi;

/**
 * The plan that `Accept` asks for; undefined if it asks for something else. Unknown options are
 * ignored. Source: PostgREST, "Execution plan".
 *
 * @accepts `application/vnd.pgrst.plan` `application/vnd.pgrst.plan+json`
 * @accepts `application/vnd.pgrst.plan+text; for="text/csv"; options=analyze|verbose;`
 * @rejects `application/json` `application/vnd.pgrst.plan+xml`
 */
export function askedPlan(accept: string | undefined): AskedPlan | undefined {
  const found = accept === undefined ? null : plan.exec(accept);
  if (found === null) return undefined;
  const [, format = 'text', rest = ''] = found;
  const given = new Map(
    [...rest.matchAll(parameter)].map(([, name = '', quoted, bare = '']) => [name.toLowerCase(), quoted ?? bare]),
  );
  const options = new Set(given.get('options')?.split('|'));
  return {
    format: format.toLowerCase() === 'json' ? 'json' : 'text',
    details: planDetails.filter((each) => options.has(each)),
    form: given.get('for') ?? 'application/json',
    ...(options.has('statement') ? { withStatement: true as const } : {}),
  };
}
