import type { Dialect } from '../../dialect/dialect.js';
import type { Driver } from '../../dialect/driver.js';
import { requestVariables, type MentionedVariables, type RequestVariable } from '../../dialect/request-variables.js';
import { lacking } from '../../dialect/lacking.js';
import type { Observer } from '../../observe/observation.js';
import { misconfigured } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';

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
 * Undefined for databases whose code cannot read requests.
 */
export function createMentionedVariables(
  { requestVariables: ofDialect, lacks }: Pick<Dialect, 'requestVariables' | 'lacks'>,
  settings: Settings,
  observe: Observer,
): LiveVariables | undefined {
  const first = settings['app.rest.pre-request'];
  if (ofDialect === undefined) {
    if (first === undefined) return undefined;
    throw misconfigured('This database has no functions to call before a request.', 'Unset app.rest.pre-request.');
  }
  const sets = settings['app.rest.request-variables'];
  let mentioned: ReadonlySet<RequestVariable> = new Set(sets === 'always' ? requestVariables : []);
  /** The code of the database cannot be read. */
  let isUnknown = false;
  return {
    isEmpty: () => mentioned.size === 0,
    has: (name) => mentioned.has(name),
    lookUp: async (driver) => {
      if (first !== undefined && !(await ofDialect.exists(driver, first))) throw noSuchFunction(first);
      if (sets !== 'mentioned' || isUnknown) return;
      try {
        mentioned = await ofDialect.mentioned(driver);
      } catch (error) {
        if (lacks?.(error) !== true) throw error;
        isUnknown = true;
        mentioned = new Set(requestVariables);
        observe(
          lacking(
            'what reads its code',
            'each request sets all variables, as with app.rest.request-variables=always.',
            error,
          ),
        );
      }
    },
  };
}

const noSuchFunction = (name: string) =>
  misconfigured(
    `There is no function "${name}" without arguments, which app.rest.pre-request names.`,
    'Write it as schema.name, with capital letters as in the catalogue.',
  );
