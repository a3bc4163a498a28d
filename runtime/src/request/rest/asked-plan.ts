import { planDetails, type PlanOptions } from '../../dialect/statement.js';

/** A request for the plan of a request. */
export interface AskedPlan extends PlanOptions {
  /** The media type that the planned request would be answered in. */
  readonly form: string;
}

const plan = /^\s*application\/vnd\.pgrst\.plan(?:\+(json|text))?\s*(?:;(.*))?$/is;
const parameter = /([a-z]+)\s*=\s*(?:"([^"]*)"|([^;]*))/gi;

/**
 * The plan that `Accept` asks for; undefined where it asks for something else. Unknown options are left out. Source: PostgREST,
 * "Execution plan".
 *
 * @accepts `application/vnd.pgrst.plan` `application/vnd.pgrst.plan+json` `application/vnd.pgrst.plan+text; for="text/csv"; options=analyze|verbose;`
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
  };
}
