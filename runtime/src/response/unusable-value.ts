import { misconfigured, type ServerError } from '../errors.js';

/**
 * A value from a hook does not fit its column, which the client cannot change.
 * @param subject whose value it is: `column "title"`
 */
export const unusableValue = (hook: string, subject: string | undefined, cause: unknown): ServerError =>
  misconfigured(
    `${hook} answered a condition that cannot be used: its value for ${subject ?? 'a column'} does not fit.`,
    'Give a value of the type of the column. The cause says what does not fit.',
    cause,
  );
