import { namingOptionsOf, type Naming } from '../descriptor/naming.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { RowRules } from '../descriptor/row-rules.js';
import type { Settings } from '../settings/settings.js';

/**
 * The options of the generator. How numbers are written, and whether REST calls procedures, are
 * settings of the server.
 */
export function modelOptions(naming: Naming, settings: Settings, rules: RowRules | undefined): ModelOptions {
  return {
    ...namingOptionsOf(naming),
    bigint: settings['app.types.bigint'],
    numeric: settings['app.types.numeric'],
    restProcedures: settings['app.rest.procedures'],
    ...(rules === undefined ? {} : { rules }),
  };
}
