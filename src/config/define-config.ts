import type { ModelOptions, Settings } from '@tablewright/runtime/model';
import type { DoctorOptions } from '../doctor/options.js';

/**
 * What tablewright.config.ts|json|yaml may hold; docs/configuration.md describes each key. The keys
 * that begin with `app.` are the settings of the generated server: they are written into
 * src/generated/settings.ts, except secrets.
 */
export interface UserConfig extends Partial<Settings>, Omit<ModelOptions, 'bigint' | 'numeric' | 'exclude'> {
  /** The database to read. Better given as DATABASE_URL: the file is committed. */
  readonly url?: string;
  /** The schemas to generate from. Default: every schema except those of the database system. */
  readonly schemas?: readonly string[];
  /**
   * Objects to leave out. A name that matches nothing is an error, unless it is marked by
   * `ifExists`.
   */
  readonly exclude?: readonly (string | { readonly name: string; readonly ifExists: true })[];
  /** The project's folder, relative to the configuration file. Default: the file's own folder. */
  readonly out?: string;
  /** Findings that `tablewright doctor` leaves out. */
  readonly doctor?: DoctorOptions;
}

/** Gives tablewright.config.ts its type: an identity function. */
export const defineConfig = (config: UserConfig): UserConfig => config;
