import { derive, modelOptions } from '../drift/derive.js';
import { Follower, type Followed, type SchemaState } from '../drift/follower.js';
import { Served } from '../drift/served.js';
import type { GeneratedServer } from '../descriptor/generated.js';
import { modelBuilder } from '../model/build.js';
import type { Observer } from '../observe/observation.js';
import { ServerError } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { createAdopt } from './adopt.js';
import { createApi, type Api, type ApiSource, type Ground } from './api.js';
import { writeFiles } from './write-files.js';
import type { FirstContact } from './first-contact.js';

/** What is served, and what follows the database. */
export interface Following {
  readonly api: Served<Api>;
  stop(): Promise<void>;
}

/** What the process of a server is told. */
export type ProcessHandle = Pick<Followed, 'exit' | 'settled'>;

interface FollowOptions {
  readonly generated: GeneratedServer;
  readonly contact: FirstContact;
  readonly process: ProcessHandle;
}

/** Serves what generated code says, and from then on what the database has become. */
export function follow(ground: Omit<Ground, 'schemaState'>, source: ApiSource, options: FollowOptions): Following {
  const { generated, contact, process } = options;
  const { dialect, settings } = ground;
  let follower: Follower | undefined;
  const observe = noticing(ground.observe, () => follower?.notice('failure'));
  const whole: Ground = { ...ground, observe, schemaState: () => follower?.state ?? asGenerated };
  const api = new Served(createApi(whole, source));
  const { naming, fingerprint } = generated;
  if (dialect.live !== undefined && naming !== undefined) {
    const buildModel = modelBuilder(dialect.model);
    const known = knownSchemas(source, settings);
    follower = new Follower({
      live: dialect.live,
      driver: contact.driver,
      dialect,
      settings,
      observe,
      schemas: naming.schemas,
      fingerprint,
      derive: (text, served) =>
        Promise.resolve(derive(text, { model: modelOptions(naming, settings), served, schemas: known }, buildModel)),
      adopt: createAdopt(whole, api, source),
      ...process,
    });
    const started = follower;
    let writing = Promise.resolve();
    api.onSwap(() => {
      writing = writeFiles(settings, observe, writing);
    });
    // A contact that fails is told by those who wait for it.
    contact.made.then(
      () => {
        started.start();
      },
      () => undefined,
    );
  }
  return { api, stop: async () => follower?.stop() };
}

/** The schemas that code was generated for: with a new one, clients of a server of one schema would have to name theirs. */
function knownSchemas({ registry }: ApiSource, settings: Settings): readonly string[] | undefined {
  const known = [...registry.schemas.keys()];
  return settings['app.drift.new-schemas'] || known.length === 0 ? undefined : known;
}

const asGenerated: SchemaState = { state: 'generated' };

/** Tells of statements that fail because the database is no longer what they were made for. */
const noticing =
  (observe: Observer, notice: () => void): Observer =>
  (observation) => {
    observe(observation);
    if (observation.kind !== 'failure') return;
    const { error } = observation;
    if (error instanceof ServerError && error.kind === 'outdated') notice();
  };
