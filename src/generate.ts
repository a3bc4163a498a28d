import { join, relative, resolve, sep } from 'node:path';
import {
  type Catalog,
  type CatalogConnection,
  type Dialect,
  type Model,
  type ModelOptions,
  type Names,
  type Settings,
  ServerError,
  buildModel,
  checkRules,
  connect,
  fingerprint,
  formatOf,
  groupWarnings,
  parseCatalog,
  readCatalog,
} from '@tablewright/runtime/model';
import { emitFiles } from './emit/index.js';
import { verifySyntax } from './emit/verify.js';
import { dialects, filesOfOneDialect } from './dialects/index.js';
import { TablewrightError } from './errors.js';
import { fileAtCommit, fileBeingMerged } from './git.js';
import { emitAgain, emitAll, emitInputs, inputsOf, type Inputs } from './inputs.js';
import { stopWhenAborted, unlessAborted } from './interrupt.js';
import { applyWrites, recover } from './output/apply.js';
import { dependencyOf, installCommands, missingPackages, otherVersions } from './output/dependencies.js';
import { diskFileSystem } from './output/file-system.js';
import { isFolder, packageSpec, packCopies } from './output/package-spec.js';
import type { Origin } from './output/manifest.js';
import { withLock } from './output/lock.js';
import { assertNotEdited, generatedFolder, planWrites, type WritePlan } from './output/plan.js';
import { packageName, readTemplates, renderProject } from './output/project.js';
import { projectCommands, type ProjectCommands } from './output/scripts.js';
import {
  plannedPackage,
  warnOfMissingPackages,
  warnOfOtherVersions,
  warnOfTakenScripts,
  withCompletedScripts,
} from './output/owned-package.js';
import { leavesCopy, warnOfUpgrade, withUpgrade, type UpgradeOptions } from './output/upgrade/upgrade.js';
import { consolePackage, ownPackage, runtimePackage } from './package.js';
import { placesOf, type Places, type PlacesOptions } from './places.js';
import { silentReporter, type Reporter } from './reporter.js';

export interface GenerateOptions {
  /** The database to read: `postgres://…`, `pglite:FOLDER` or `mysql://…`. */
  readonly url?: string | undefined;
  /** A catalogue read before, instead of a database. */
  readonly catalog?: Catalog | undefined;
  /** Default: every schema that is not the system's. */
  readonly schemas?: readonly string[] | undefined;
  /** Databases that have other names than their schemas, as `schema=database` (MariaDB). */
  readonly databases?: readonly string[] | undefined;
  /** The project's folder. Generated code goes to its `src/generated`. */
  readonly out: string;
  /** Names and exclusions. */
  readonly model?: ModelOptions | undefined;
  /** Names of `model.exclude` that may match nothing. */
  readonly mayBeMissing?: readonly string[] | undefined;
  /** Settings of the generated server, to be written into it: no secrets. */
  readonly settings?: Partial<Settings> | undefined;
  /**
   * The configuration file the options come from. One outside the project's folder is named by the
   * project's scripts.
   */
  readonly configuration?: string | undefined;
  /** Replaces generated files that were edited by hand. */
  readonly force?: boolean | undefined;
  /** Plans only: nothing is written, and edited files are planned for as well. */
  readonly dryRun?: boolean | undefined;
  /** Lets a folder with other files in it become a project. */
  readonly adopt?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly reporter?: Reporter | undefined;
}

export interface GenerateResult {
  /** The files that were written, or would be with `dryRun`. */
  readonly plan: WritePlan;
  readonly catalog: Catalog;
  readonly model: Model;
  readonly fingerprint: string;
  /** The next command of the project's owner. */
  readonly commands: ProjectCommands & { readonly install: string };
}

/**
 * The whole pipeline: database (or catalogue) → catalogue → model → files → disk. Writes wholly or
 * not at all; a second run changes nothing. The project's own files (package.json, src/main.ts, …)
 * are written where they are absent.
 *
 * Throws TablewrightError: DATABASE_*, SCHEMA_UNKNOWN, NOTHING_TO_GENERATE, NAME_COLLISION,
 * CONFIG_INVALID, OUTPUT_*, INTERRUPTED.
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const absolute = { ...options, out: resolve(options.out) };
  return options.dryRun === true ? run(absolute) : withLock(absolute.out, () => run(absolute));
}

/**
 * The catalogue committed with a project, or undefined when nothing was generated there yet. Throws
 * OUTPUT_EDITED.
 */
export async function committedCatalog(folder: string): Promise<Catalog | undefined> {
  const text = await committedFile(folder, 'catalog.json');
  return text === undefined ? undefined : parseCatalog(text);
}

/** The text of a generated file of a project, or undefined when it is not there. */
export const committedFile = (folder: string, name: string): Promise<string | undefined> =>
  diskFileSystem.read(join(folder, generatedFolder, name));

/**
 * Reads a database's catalogue over a connection of its own. Throws USAGE when no address is given,
 * and DATABASE_*.
 */
export async function readDatabase(
  options: Pick<GenerateOptions, 'url' | 'schemas' | 'databases' | 'out' | 'signal'>,
): Promise<Catalog> {
  const { schemas, databases } = await projectPlaces(options);
  return withDatabase(options, (connection) => readCatalog(connection, { schemas, databases }));
}

/** The databases of a project in this folder. */
export const projectPlaces = async (options: PlacesOptions & Pick<GenerateOptions, 'out'>): Promise<Places> =>
  // A catalogue that was edited says nothing.
  placesOf(options, await committedCatalog(options.out).catch(() => undefined));

/**
 * Asks a database over a connection of its own. Throws USAGE when no address is given, and
 * DATABASE_*.
 */
export async function withDatabase<T>(
  { url, signal }: Pick<GenerateOptions, 'url' | 'signal'>,
  ask: (connection: CatalogConnection) => Promise<T>,
): Promise<T> {
  if (url === undefined) {
    throw new TablewrightError(
      'USAGE',
      'No database was given.',
      'Give its address with --url postgres://user@host/database or mysql://user@host/database, or set DATABASE_URL.',
    );
  }
  const reading = async (): Promise<T> => {
    const connection = await connect(url);
    try {
      return await ask(connection);
    } finally {
      await connection.close();
    }
  };
  return unlessAborted(reading, signal);
}

async function run(options: GenerateOptions): Promise<GenerateResult> {
  const { stage, warn } = options.reporter ?? silentReporter;
  const { out, signal } = options;
  if (options.dryRun !== true) await recover(out);
  const catalog = options.catalog ?? (await stage('Read the database', () => readDatabase(options)));
  assertReadable(catalog);
  const model = await stage('Decide names and types', () => buildModel(catalog, options.model ?? {}));
  assertRules(model);
  const warnings = warningsOf(model, options.mayBeMissing);
  for (const { message, hint, names } of groupWarnings(warnings)) warn(message, hint, names);
  const hash = fingerprint(catalog);
  const inputs = inputsOf(options);
  const files = await stage('Write the code', (count) =>
    emitAll(emitFiles(model, emitInputs(catalog, inputs)), model, count, signal),
  );
  stopWhenAborted(signal);
  const project = await projectFiles({
    ...options,
    names: options.model?.names,
    types: options.model?.types,
    agentsFile: options.model?.agentsFile,
    dialect: catalog.dialect,
  });
  const compared = await stage('Compare with the folder', () =>
    planWrites(out, files, {
      origin: origin(inputs, model),
      witnesses: {
        emitAgain: async (recorded) =>
          emitAgain(await committedCatalog(out).catch(() => undefined), recorded ?? inputs, signal),
        committed: (path) => fileAtCommit(out, 'HEAD', path).catch(() => undefined),
        merging: (path) => fileBeingMerged(out, path),
      },
      project,
      adopt: options.adopt === true,
    }),
  );
  // Later the owner may have taken scripts out: they are added once.
  const scripted = isFirst(compared) ? await withCompletedScripts(compared, project) : { plan: compared, taken: {} };
  const upgrade = leavesCopy(compared) ? await withUpgrade(compared, await upgradeOptions(out, project)) : undefined;
  const plan = upgrade?.plan ?? scripted.plan;
  await verifySyntax(newTexts(plan, files));
  if (options.dryRun !== true) {
    if (options.force !== true) assertNotEdited(plan);
    await stage('Write the files', (count) => applyWrites(plan, { signal, count }));
  }
  if (upgrade !== undefined) warnOfUpgrade(upgrade, warn);
  const own = await plannedPackage(plan);
  const template = project.get('package.json') ?? '';
  const missing = missingPackages(own, template);
  if (options.dryRun !== true) {
    warnOfTakenScripts(scripted.taken, warn);
    warnOfMissingPackages(plan, missing, warn);
    warnOfOtherVersions(plan, otherVersions(own, template), warn);
  }
  const install = missing === undefined ? 'npm install' : installCommands(missing);
  return { plan, catalog, model, fingerprint: hash, commands: { install, ...projectCommands(own) } };
}

/** What manifest.json says of the files. */
const origin = (inputs: Inputs, { options }: Model): Origin => ({
  version: ownPackage().version,
  runtime: runtimePackage(),
  format: formatOf(options),
  inputs,
});

/** The files, by path in `src/generated`, whose text on disk differs or is missing. */
function newTexts({ files }: WritePlan, wanted: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = new Set(files.filter(({ action }) => action === 'keep').map(({ path }) => path));
  return new Map([...wanted].filter(([path]) => !kept.has(`${generatedFolder}/${path}`)));
}

async function upgradeOptions(out: string, project: ReadonlyMap<string, string>): Promise<UpgradeOptions> {
  const runtime = runtimePackage();
  const template = project.get('package.json') ?? '';
  const brought = runtime.dependencies.filter((name) => dependencyOf(template, name) === undefined);
  return { runtime: await packageSpec(runtime, out), brought };
}

/** Whether nothing was generated in the folder before. */
const isFirst = (plan: WritePlan): boolean => plan.files.every(({ action }) => action === 'add');

/** The files a project begins with: its owner's from then on. */
export async function projectFiles({
  out,
  schemas,
  configuration,
  pipeline = false,
  dialect = 'postgres',
  settings,
  names,
  types,
  agentsFile = false,
}: Pick<GenerateOptions, 'out' | 'schemas' | 'configuration' | 'settings'> & {
  /**
   * With the workflow for GitHub and SQL to run once, which are asked for by `init` alone: not
   * every project needs them.
   */
  readonly pipeline?: boolean;
  readonly dialect?: Dialect | undefined;
  /** The rules of names that a new configuration file says. */
  readonly names?: Names | undefined;
  /** The types that a new configuration file gives to columns. */
  readonly types?: ModelOptions['types'];
  /** With an AGENTS.md. */
  readonly agentsFile?: boolean | undefined;
}): Promise<ReadonlyMap<string, string>> {
  const own = ownPackage();
  const way = configuration === undefined ? undefined : relative(out, configuration).split(sep).join('/');
  const generator = await packageSpec(own, out);
  const runtime = await packageSpec(runtimePackage(), out);
  const templates = await readTemplates(join(own.folder, 'templates', 'project'));
  const chosen = dialects[dialect];
  const wanted = [...templates].filter(
    ([path]) =>
      (pipeline || !path.startsWith('_github/')) &&
      (agentsFile || path !== 'AGENTS.md') &&
      (!filesOfOneDialect.has(path) || (pipeline && path in chosen.files)),
  );
  const rendered = renderProject(new Map(wanted), {
    name: packageName(out),
    generator,
    runtime,
    console: await packageSpec(consolePackage(), out),
    schemas,
    names,
    types,
    dialect,
    changes: settings?.['app.changes.source'],
    rates: (settings?.['app.limits.rates'] ?? []).length > 0,
    agents: settings?.['app.mcp'] === true,
    configuration: way?.includes('/') === true ? way : undefined,
  });
  const asked = dependencyOf((await diskFileSystem.read(join(out, 'package.json'))) ?? '', runtimePackage().name);
  // One whose owner asks for another runtime, as for its own sources, installs as its owner says.
  const copies = isFolder(runtime) && (asked ?? runtime) === runtime;
  const files = copies ? new Map([...packCopies, ...rendered]) : rendered;
  // A project has only one configuration file, in any of the forms.
  return way === undefined ? files : new Map([...files].filter(([path]) => !path.startsWith('tablewright.config.')));
}

/** Throws CONFIG_INVALID for a rule that does not fit the database. */
function assertRules(model: Model): void {
  try {
    checkRules(model);
  } catch (cause) {
    if (!(cause instanceof ServerError)) throw cause;
    throw new TablewrightError('CONFIG_INVALID', cause.message, cause.hint ?? 'See docs/row-rules.md.', { cause });
  }
}

/**
 * What the model warns of. Throws CONFIG_INVALID for a name in `exclude` that matches nothing: what
 * it was meant to leave out would be served. So do columns of `types` that the database lacks.
 */
function warningsOf({ warnings }: Model, mayBeMissing: readonly string[] = []): Model['warnings'] {
  const isUnmatched = ({ code }: Model['warnings'][number]): boolean => code === 'EXCLUDE_UNMATCHED';
  const names = warnings.filter(isUnmatched).flatMap(({ group }) => group?.name ?? []);
  const missing = names.filter((name) => !mayBeMissing.includes(name));
  const untyped = warnings.find(({ code }) => code === 'TYPE_UNMATCHED');
  if (untyped !== undefined) throw new TablewrightError('CONFIG_INVALID', untyped.message, untyped.hint);
  const [first] = missing;
  if (first === undefined) return warnings.filter((each) => !isUnmatched(each));
  throw new TablewrightError(
    'CONFIG_INVALID',
    `exclude names ${missing.join(', ')}, but the database has no such object.`,
    `Correct the name or remove it. If it may be missing, write { name: '${first}', ifExists: true }.`,
  );
}

function assertReadable(catalog: Catalog): void {
  if (catalog.tables.some((table) => table.privileges.select)) return;
  const schemas = catalog.schemas.map((schema) => schema.name).join(', ');
  throw catalog.tables.length === 0
    ? new TablewrightError(
        'NOTHING_TO_GENERATE',
        schemas === '' ? 'The database has no schema with tables.' : `There is no table or view in ${schemas}.`,
        'Check that it is the right database, and name its schemas with --schemas.',
      )
    : new TablewrightError(
        'NOTHING_TO_GENERATE',
        `The role may read none of the ${String(catalog.tables.length)} tables in ${schemas}.`,
        dialects[catalog.dialect].grantHint,
      );
}
