import type { Driver } from '../dialect/driver.js';
import { misconfigured } from '../errors.js';
import type { Extension, Host, OpenExtension } from './extension.js';

/** The members that wrap. */
type Wrapping = 'dialect' | 'driver' | 'database' | 'authenticate' | 'admission' | 'handle' | 'upgrade';

/** The extensions of a server, as if they were one. */
export interface Fold extends Required<Pick<OpenExtension, Wrapping>> {
  readonly openDatabase: OpenExtension['openDatabase'];
  readonly readsOwnDatabase: boolean;
  readonly identifiedBy: readonly string[];
  readonly services: NonNullable<OpenExtension['services']>;
  readonly mounts: NonNullable<OpenExtension['mounts']>;
  readonly apis: OpenExtension['apis'];
  readonly hub: OpenExtension['hub'];
  readonly lookUp: (driver: Driver) => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly health: () => Readonly<Record<string, unknown>>;
  readonly series: readonly NonNullable<OpenExtension['series']>[];
  readonly close: (grace: number) => Promise<void>;
}

/** Folds the extensions of a server, in the order in which they wrap. */
export function fold(all: readonly OpenExtension[]): Fold {
  const of = <K extends keyof OpenExtension>(name: K): NonNullable<OpenExtension[K]>[] =>
    all.map((each) => each[name]).filter((member) => member !== undefined);
  const inTurn = (works: readonly ((driver: Driver) => Promise<void>)[]) => async (driver: Driver) => {
    for (const work of works) await work(driver);
  };
  const [openDatabase] = of('openDatabase');
  const [apis] = of('apis');
  const [hub] = of('hub');
  const [mounts, settle, health, closings] = [of('mounts'), of('settle'), of('health'), of('close')];
  return {
    ...{ openDatabase, apis, hub },
    dialect: wrapping(of('dialect')),
    driver: wrapping(of('driver')),
    database: wrapping(of('database')),
    authenticate: wrapping(of('authenticate')),
    admission: wrapping(of('admission')),
    handle: wrapping(of('handle')),
    upgrade: wrapping(of('upgrade')),
    readsOwnDatabase: all.every(({ readsOwnDatabase }) => readsOwnDatabase !== false),
    identifiedBy: all.flatMap(({ identifiedBy = [] }) => identifiedBy),
    services: Object.assign({}, ...of('services')) as Fold['services'],
    mounts: (services, source) => mounts.flatMap((make) => make(services, source)),
    lookUp: inTurn(of('lookUp')),
    settle: async () => {
      for (const wait of settle) await wait();
    },
    health: () => Object.assign({}, ...health.map((tell) => tell())) as Readonly<Record<string, unknown>>,
    series: of('series'),
    close: async (grace) => {
      await Promise.all(closings.map((close) => close(grace)));
    },
  };
}

const wrapping =
  <T>(wraps: readonly ((next: T) => T)[]) =>
  (own: T): T =>
    wraps.reduce((next, wrap) => wrap(next), own);

/** @throws ServerError `misconfigured` for two extensions that do not go together */
export function checkTogether(all: readonly Extension[]): void {
  const names = new Set(all.map(({ name }) => name));
  for (const { excludes = {} } of all)
    for (const [name, reason] of Object.entries(excludes)) if (names.has(name)) throw misconfigured(...reason);
}

/** Opens one after the other. Where one cannot be opened, those before it are closed. */
export async function openAll(all: readonly Extension[], host: Host): Promise<readonly OpenExtension[]> {
  const opened: OpenExtension[] = [];
  try {
    for (const { open } of all) if (open !== undefined) opened.push(await open(host));
    return opened;
  } catch (error) {
    await fold(opened).close(0);
    throw error;
  }
}
