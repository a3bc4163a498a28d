import { namingOptionsOf, type Naming } from '../descriptor/naming.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { Settings } from '../settings/settings.js';

/** The options of the generator. How numbers are written is a setting of the server. */
export function modelOptions(naming: Naming, settings: Settings): ModelOptions {
  return {
    ...namingOptionsOf(naming),
    bigint: settings['app.types.bigint'],
    numeric: settings['app.types.numeric'],
  };
}
