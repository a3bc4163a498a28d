import { negotiate, type Format } from './accept.js';
import type { RestDialect } from './intent-forms.js';
import { postgrestFormat } from './postgrest-accept.js';

/** The format that `Accept` asks for in a form of REST. */
export const formats: Readonly<Record<RestDialect, (accept: string | undefined) => Format>> = {
  rest: negotiate,
  postgrest: postgrestFormat,
};
