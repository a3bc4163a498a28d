import type { GeneratedServer } from '../descriptor/generated.js';
import type { Driver } from '../dialect/driver.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { Observer } from '../observe/observation.js';
import { loadSettings, type Environment } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import type { CustomServer } from './custom.js';

/** The parts of a server. */
export interface ServerOptions<Database = AnyDatabase> {
  readonly generated: GeneratedServer;
  readonly custom?: CustomServer<Database>;
  /** Overrides the generated settings. Default: `process.env`. */
  readonly environment?: Environment;
  /** Default: the one that `app.datasource.url` names. It is closed with the server. */
  readonly driver?: Driver;
  /** Receives observations. Default: a logger of JSON lines. */
  readonly observe?: Observer;
}

/** Throws ServerError `misconfigured`. */
export const settingsOf = ({ generated, environment = process.env }: ServerOptions): Settings =>
  loadSettings(generated.settings, environment);
