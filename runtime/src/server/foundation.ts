import type { Dialect } from '../dialect/dialect.js';
import type { GeneratedServer } from '../descriptor/generated.js';
import { restNamesBy } from '../descriptor/naming.js';
import { createRegistry, type Registry } from '../descriptor/registry.js';
import { createCors, type Cors } from '../http/cors.js';
import { guardedObserver } from '../observe/guarded-observer.js';
import { createLogger } from '../observe/logger.js';
import type { Observation } from '../observe/observation.js';
import type { Settings } from '../settings/settings.js';
import { withIdentities } from './authentication.js';
import type { CustomServer } from './custom.js';
import { dialectOf, dialectOfGiven } from './dialects.js';
import type { Extension } from './extension.js';
import { checkTogether } from './fold.js';
import { openMeasuring, type Measuring } from './measuring.js';
import { servedSchemas } from './search-path.js';
import { settingsOf, type ServerOptions } from './server-options.js';

/** What the parts of a server are put together from. */
export interface Foundation {
  /** With its rules, and with the names of REST, among the descriptors. */
  readonly generated: GeneratedServer;
  readonly custom: CustomServer;
  /** The settings before extensions changed them, and after that. */
  readonly given: Settings;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly registry: Registry;
  readonly cors: Cors | undefined;
  readonly measuring: Measuring;
}

/** Rejects with ServerError when a setting is wrong. */
export async function layFoundation(options: ServerOptions, extensions: readonly Extension[]): Promise<Foundation> {
  checkTogether(extensions);
  const { custom = {} } = options;
  const given = settingsOf(options);
  const settings = extensions.reduce((next, each) => each.settings?.(next) ?? next, withIdentities(given, custom));
  const generated = described(options.generated);
  const { descriptors } = generated;
  const find = options.driver === undefined ? dialectOf : dialectOfGiven;
  const dialect = await find(settings, servedSchemas(settings, descriptors));
  const own = extensions.find(({ logger }) => logger !== undefined)?.logger;
  const log = own?.(settings) ?? createLogger(settings);
  const main = options.observe === undefined ? log : guardedObserver(options.observe, log);
  const others = extensions.flatMap(({ observe }) => (observe === undefined ? [] : [guardedObserver(observe, main)]));
  const observer =
    others.length === 0
      ? main
      : (each: Observation): void => {
          [main, ...others].forEach((tell) => {
            tell(each);
          });
        };
  const publish = extensions.find((each) => each.publish !== undefined)?.publish;
  return {
    ...{ generated, custom, given, settings, dialect },
    registry: createRegistry(descriptors),
    cors: createCors(
      settings,
      extensions.flatMap(({ exposedHeaders = [] }) => exposedHeaders),
    ),
    measuring: await openMeasuring(settings, dialect, observer, publish),
  };
}

/** Generated code with its rules, and with what its naming says of REST. */
function described(generated: GeneratedServer): GeneratedServer {
  const { descriptors, naming, rules } = generated;
  const named = { ...descriptors, restNames: restNamesBy(naming) };
  return { ...generated, descriptors: rules === undefined ? named : { ...named, rules } };
}

/**
 * CORS of a server that could not be put together, so that a page of another origin sees why;
 * undefined if the settings are invalid.
 */
export function corsOf(options: ServerOptions): Cors | undefined {
  try {
    return createCors(settingsOf(options));
  } catch {
    return undefined;
  }
}
