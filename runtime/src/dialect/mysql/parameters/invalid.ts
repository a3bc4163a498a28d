import { ServerError } from '../../../errors.js';

/**
 * The error of a value that its type cannot hold. The database would convert many such values
 * (`'1abc'` to 1), so the runtime checks every parameter. The answer is the same as for
 * PostgreSQL's own check (decision 006).
 */
const invalid = (code: string, message: string, hint?: string) => (): ServerError =>
  new ServerError(500, code, message, { hint, clientsMistake: true, kind: 'invalidValue' });

export const wrongForm = invalid('22P02', 'A value does not have the form its type needs.');
export const outOfRange = invalid('22003', 'A number is out of the range of its type.');
export const wrongMoment = invalid(
  '22007',
  'A date or time does not have the form its type needs.',
  'Write ISO 8601, as in 2024-02-29 or 2024-02-29T12:00:00Z.',
);
export const momentOutOfRange = invalid('22008', 'A date or time is out of range.');
