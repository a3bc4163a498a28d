import type { Config } from '../config/load.js';
import { nameStyles } from '../dialects/name-styles.js';
import { dialectOf } from '../dialects/index.js';
import { committedFile } from '../generate.js';
import { manifestPath } from '../output/manifest.js';

/**
 * A project that begins here has the types that `init` would choose, and where `names` says so, the
 * names, too. Its configuration file says them from then on.
 */
export async function asNewProject(config: Config, { names }: { readonly names: boolean }): Promise<Config> {
  if (config.file !== undefined || (await committedFile(config.out, manifestPath)) !== undefined) return config;
  const { types, names: style } = dialectOf(config.url);
  const chosen = names ? nameStyles[style] : undefined;
  return {
    ...config,
    model: {
      ...config.model,
      ...(chosen === undefined ? {} : { names: chosen }),
      ...(types === undefined ? {} : { types }),
    },
  };
}
