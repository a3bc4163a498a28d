import { namingOptionsOf, type Naming } from '../descriptor/naming.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { RowRules } from '../descriptor/row-rules.js';
import type { Settings } from '../settings/settings.js';

/** The options of the generator. How numbers are written is a setting of the server. */
export function modelOptions(naming: Naming, settings: Settings, rules: RowRules | undefined): ModelOptions {
  return {
    ...namingOptionsOf(naming),
    bigint: settings['app.types.bigint'],
    numeric: settings['app.types.numeric'],
    ...(rules === undefined ? {} : { rules }),
  };
}
