import type { Dialect } from '../dialect/dialect.js';
import type { Driver } from '../dialect/driver.js';
import { requestVariables, type MentionedVariables, type RequestVariable } from '../dialect/request-variables.js';
import { misconfigured } from '../errors.js';
import type { Settings } from '../settings/settings.js';

/** Of a server that has PostgREST's form: the variables that its requests set, and read back. */
export interface LiveVariables extends MentionedVariables {
  /**
   * Looks them up, at the start and with each check of the database, on the driver of the check.
   * Rejects with errors of the driver, and with ServerError `misconfigured` for a function before
   * each request that does not exist.
   */
  readonly lookUp: (driver: Driver) => Promise<void>;
}

/**
 * The variables that the database's code mentions, or as `app.rest.request-variables` says.
 * Undefined without the mount, and for databases whose code cannot read requests.
 */
export function createMentionedVariables(
  { requestVariables: ofDialect }: Pick<Dialect, 'requestVariables'>,
  settings: Settings,
): LiveVariables | undefined {
  if (settings['app.rest.postgrest'] === undefined) return undefined;
  const first = settings['app.rest.pre-request'];
  if (ofDialect === undefined) {
    if (first === undefined) return undefined;
    throw misconfigured('This database has no functions to call before a request.', 'Unset app.rest.pre-request.');
  }
  const sets = settings['app.rest.request-variables'];
  let mentioned: ReadonlySet<RequestVariable> = new Set(sets === 'always' ? requestVariables : []);
  return {
    isEmpty: () => mentioned.size === 0,
    has: (name) => mentioned.has(name),
    lookUp: async (driver) => {
      if (first !== undefined && !(await ofDialect.exists(driver, first))) throw noSuchFunction(first);
      if (sets === 'mentioned') mentioned = await ofDialect.mentioned(driver);
    },
  };
}

const noSuchFunction = (name: string) =>
  misconfigured(
    `There is no function "${name}" without arguments, which app.rest.pre-request names.`,
    'Write it as schema.name, with capital letters as in the catalogue.',
  );
