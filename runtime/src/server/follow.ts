import type { Derived, DeriveOptions } from '../drift/derive.js';
import { Follower, type Followed, type SchemaState } from '../drift/follower.js';
import type { Trigger } from '../drift/occasions.js';
import { modelOptions } from '../drift/model-options.js';
import { isRestricting } from '../drift/identity/protection.js';
import { servedRoutines } from '../drift/new-definers.js';
import { Served } from '../drift/served.js';
import type { Dialect, LiveCatalog } from '../dialect/dialect.js';
import type { Identity } from '../dialect/driver.js';
import type { GeneratedServer } from '../descriptor/generated.js';
import type { Observer } from '../observe/observation.js';
import { ServerError } from '../errors.js';
import { hasConsole } from '../settings/has-console.js';
import type { Settings } from '../settings/settings.js';
import { createApi, type Api, type ApiContext } from './api.js';
import type { ApiSource } from './api-source.js';
import { loadedCatalog, type LoadedCatalog } from './catalog-file.js';
import { canDeriveApart, deriveApart } from './derive-apart.js';
import type { ApisByIdentity } from './extension.js';
import { writeFiles } from './write-files.js';
import type { FirstContact } from './first-contact.js';

/** The served API, and its follower. */
export interface Following {
  readonly api: Served<Api>;
  /** Undefined where all identities have the same API. */
  readonly byIdentity: ApisByIdentity | undefined;
  /** Checks now. Resolves after the check, or when it takes too long. */
  look(trigger: Trigger): Promise<void>;
  /** The fingerprint of the served API; undefined if the server cannot follow its database. */
  fingerprint(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Tells the process which fingerprint is served, and ends it for `app.drift.on-change: exit`. */
export type ProcessHandle = Pick<Followed, 'exit' | 'settled'>;

interface FollowOptions {
  readonly generated: GeneratedServer;
  readonly contact: FirstContact;
  readonly process: ProcessHandle;
  /** Looks up what else of the database the server depends on, with each check. */
  readonly lookUp: Followed['lookUp'];
}

/** What all states of the API share. */
export interface FollowContext extends Omit<ApiContext, 'schemaState' | 'successor'> {
  /** Absent where all identities have the same API. */
  readonly apis?: (context: ApiContext, whole: Served<Api>) => ApisByIdentity;
}

/** Serves the generated API, and later the API of the changed database. */
export function follow(context: FollowContext, source: ApiSource, options: FollowOptions): Following {
  const { generated, contact, process, lookUp } = options;
  const { dialect, settings } = context;
  const { live } = dialect;
  let follower: Follower | undefined;
  let swap: Followed['swap'] | undefined;
  const apis = (): ApisByIdentity => {
    if (byIdentity === undefined) throw new TypeError('All identities have the same API.');
    return byIdentity;
  };
  const observe = noticing(context.observe, () => follower?.notice('failure'));
  const whole: ApiContext = {
    ...context,
    observe,
    schemaState: () => follower?.state ?? asGenerated,
    ...(context.apis && { endpointOf: (identity: Identity) => apis().endpointOf(identity) }),
    successor: async (error, failed) => {
      if (!isOutdated(error)) return undefined;
      if (api.current === failed) await follower?.lookNow('failure');
      return api.current === failed ? undefined : api.current;
    },
  };
  const api = new Served<Api>(createApi(whole, source));
  const byIdentity = context.apis?.(whole, api);
  const { naming, fingerprint, rules } = generated;
  if (live !== undefined && naming !== undefined) {
    const loaded = loadedCatalog(generated.openapi);
    // A check must not wait for itself, nor be refused for the names that it has found.
    const isOwn = context.database === contact.driver;
    const checking = isOwn ? contact.driver.unlimited : context.database;
    const options = {
      model: modelOptions(naming, settings, rules),
      schemas: knownSchemas(source, settings),
      routines: servedRoutines(source.descriptors),
      tables: Object.fromEntries(
        source.descriptors.tables.map(({ schema, name, columns }) => [
          `${schema}.${name}`,
          columns.map((column) => column.name),
        ]),
      ),
    };
    follower = new Follower({
      live,
      driver: contact.driver.unlimited,
      isProtecting: isRestricting(options.model),
      withhold: (names) => {
        contact.driver.withhold(names);
      },
      dialect,
      settings,
      observe,
      schemas: naming.schemas,
      fingerprint,
      derive: async (text, seen, signal) =>
        deriveBeside(
          { dialect, live, keepsCatalog: hasConsole(settings), loaded: await loaded },
          text,
          { ...options, ...seen },
          signal,
        ),
      lookUp: async (driver) => {
        await lookUp(driver);
        await byIdentity?.refresh();
      },
      checked: async () => context.hub?.check(),
      swap: async (...changed) => {
        swap ??= (await import('./swap-api.js')).createSwap(whole, api, source, naming, checking);
        return swap(...changed);
      },
      ...process,
    });
    const started = follower;
    let writing = Promise.resolve();
    api.onSwap(() => {
      writing = writeFiles(settings, observe, writing);
    });
    const checked = contact.made.then(async () => {
      started.start();
      // Names may have another meaning than when the code was generated.
      if (isOwn && isRestricting(options.model)) await started.check('start');
    });
    contact.driver.hold(checked);
  }
  return {
    api,
    byIdentity,
    look: async (trigger) => follower?.lookNow(trigger),
    fingerprint: async () => {
      if (api.current.source.fingerprint === undefined && follower?.fingerprint === undefined)
        await follower?.lookNow('start');
      return api.current.source.fingerprint ?? follower?.fingerprint;
    },
    stop: async () => follower?.stop(),
  };
}

/**
 * Characters of a catalogue whose model takes this thread at most 20 ms: those of about thirty
 * tables.
 */
const DERIVED_HERE = 150_000;

interface Deriving {
  readonly dialect: Dialect;
  readonly live: LiveCatalog;
  /**
   * Whether the console may ask for the catalogue later: that of thousands of tables has megabytes.
   */
  readonly keepsCatalog: boolean;
  readonly loaded: LoadedCatalog;
}

/**
 * Derives the API of a changed catalogue: in another thread, unless starting a thread takes longer
 * than deriving.
 */
async function deriveBeside(
  { dialect, live, keepsCatalog, loaded }: Deriving,
  text: string,
  options: DeriveOptions,
  signal: AbortSignal,
): Promise<Derived> {
  const derived =
    text.length > DERIVED_HERE && canDeriveApart
      ? await deriveApart(dialect.name, text, options, loaded, signal)
      : await (await import('./derive-here.js')).deriveHere(dialect, live.parse(text), options, loaded);
  const { changed } = derived;
  if (changed === undefined || !keepsCatalog) return derived;
  return { ...derived, changed: { ...changed, catalog: () => live.parse(text) } };
}

/**
 * The schemas that the code was generated for. With a further schema, clients of a server with one
 * schema would have to name theirs in every request.
 */
export function knownSchemas(
  { registry }: Pick<ApiSource, 'registry'>,
  settings: Settings,
): readonly string[] | undefined {
  const known = [...registry.schemas.keys()];
  return settings['app.drift.new-schemas'] || known.length === 0 ? undefined : known;
}

const asGenerated: SchemaState = { state: 'generated' };

/** Reports statements that fail because the database has changed. */
const noticing =
  (observe: Observer, notice: () => void): Observer =>
  (observation) => {
    observe(observation);
    if (observation.kind === 'failure' && isOutdated(observation.error)) notice();
  };

const isOutdated = (error: unknown): boolean => error instanceof ServerError && error.kind === 'outdated';
