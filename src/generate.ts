import { join, relative, resolve, sep } from 'node:path';
import type { Settings } from '../templates/runtime/settings.js';
import { connect, fingerprint, parseCatalog, readCatalog, serializeCatalog } from './catalog/index.js';
import type { Catalog } from './catalog/catalog.js';
import { emitProject } from './emit/index.js';
import { verifySyntax } from './emit/verify.js';
import { TablewrightError } from './errors.js';
import { stopWhenAborted, unlessAborted } from './interrupt.js';
import { buildModel } from './model/index.js';
import type { Model } from './model/model.js';
import type { ModelOptions } from './model/options.js';
import { applyWrites, recover } from './output/apply.js';
import { installCommands, missingPackages } from './output/dependencies.js';
import { diskFileSystem } from './output/file-system.js';
import { generatorSpec } from './output/generator-spec.js';
import { withLock } from './output/lock.js';
import { assertNotEdited, generatedFolder, planWrites, type WritePlan } from './output/plan.js';
import { packageName, readTemplates, renderProject } from './output/project.js';
import { ownPackage } from './package.js';
import { silentReporter, type Reporter } from './reporter.js';

export interface GenerateOptions {
  /** The database to read: `postgres://…` or `pglite:FOLDER`. */
  readonly url?: string | undefined;
  /** A catalogue read before, instead of a database. */
  readonly catalog?: Catalog | undefined;
  /** Default: every schema that is not the system's. */
  readonly schemas?: readonly string[] | undefined;
  /** The project's folder. Generated code goes to its `src/generated`. */
  readonly out: string;
  /** Names, and what is left out. */
  readonly model?: ModelOptions | undefined;
  /** Settings of the generated server, to be written into it: no secrets. */
  readonly settings?: Partial<Settings> | undefined;
  /** The configuration file the options come from. One outside the project's folder is named by the project's scripts. */
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
  /** What was, or with `dryRun` would be, written. */
  readonly plan: WritePlan;
  readonly catalog: Catalog;
  readonly model: Model;
  readonly fingerprint: string;
}

/**
 * The whole pipeline: database (or catalogue) → catalogue → model → files → disk. Writes wholly or not at all; a second run changes
 * nothing. The project's own files (package.json, src/main.ts, …) are written where they are absent.
 *
 * Throws TablewrightError: DATABASE_*, SCHEMA_UNKNOWN, NOTHING_TO_GENERATE, NAME_COLLISION, CONFIG_INVALID, OUTPUT_*, INTERRUPTED.
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const absolute = { ...options, out: resolve(options.out) };
  return options.dryRun === true ? run(absolute) : withLock(absolute.out, () => run(absolute));
}

/** The catalogue committed with a project, or undefined when nothing was generated there yet. Throws OUTPUT_EDITED. */
export async function committedCatalog(folder: string): Promise<Catalog | undefined> {
  const text = await diskFileSystem.read(join(folder, generatedFolder, 'catalog.json'));
  return text === undefined ? undefined : parseCatalog(text);
}

/** Reads a database's catalogue over a connection of its own. Throws USAGE when no address is given, and DATABASE_*. */
export async function readDatabase({
  url,
  schemas,
  signal,
}: Pick<GenerateOptions, 'url' | 'schemas' | 'signal'>): Promise<Catalog> {
  if (url === undefined) {
    throw new TablewrightError(
      'USAGE',
      'No database was given.',
      'Give its address with --url postgres://user@host/database, or set DATABASE_URL.',
    );
  }
  const reading = async (): Promise<Catalog> => {
    const connection = await connect(url);
    try {
      return await readCatalog(connection, { schemas });
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
  for (const warning of model.warnings) warn(warning.message, warning.hint);
  const hash = fingerprint(catalog);
  const files = await stage('Write the code', async () =>
    emitProject(model, {
      runtime: await readTemplates(join(ownPackage().folder, 'templates', 'runtime')),
      catalog: serializeCatalog(catalog),
      fingerprint: hash,
      settings: options.settings ?? {},
    }),
  );
  stopWhenAborted(signal);
  const project = await projectFiles(options);
  const plan = await stage('Compare with the folder', () =>
    planWrites(out, files, { version: ownPackage().version, project, adopt: options.adopt === true }),
  );
  await verifySyntax(newTexts(plan, files));
  if (options.dryRun !== true) {
    if (options.force !== true) assertNotEdited(plan);
    await stage('Write the files', () => applyWrites(plan, { signal }));
    await warnOfMissingPackages(plan, project, warn);
  }
  return { plan, catalog, model, fingerprint: hash };
}

/** Those of the files, by path in `src/generated`, that are not on the disk as they are. */
function newTexts({ files }: WritePlan, wanted: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = new Set(files.filter(({ action }) => action === 'keep').map(({ path }) => path));
  return new Map([...wanted].filter(([path]) => !kept.has(`${generatedFolder}/${path}`)));
}

/** The package.json is its owner's: when new runtime code needs more than it names, its owner is told. */
async function warnOfMissingPackages(
  { folder, files, project }: WritePlan,
  template: ReadonlyMap<string, string>,
  warn: Reporter['warn'],
): Promise<void> {
  const runtime = `${generatedFolder}/runtime/`;
  const renewed = files.some((file) => file.action !== 'keep' && file.path.startsWith(runtime));
  if (!renewed || project.some((file) => file.path === 'package.json')) return;
  const own = await diskFileSystem.read(join(folder, 'package.json'));
  const missing = missingPackages(own ?? '', template.get('package.json') ?? '');
  if (missing === undefined) return;
  warn(
    'package.json is yours and was left as it is, but the server needs more than it names.',
    installCommands(missing),
  );
}

/** The files a project begins with: its owner's from then on. */
export async function projectFiles({
  out,
  schemas,
  configuration,
}: Pick<GenerateOptions, 'out' | 'schemas' | 'configuration'>): Promise<ReadonlyMap<string, string>> {
  const own = ownPackage();
  const way = configuration === undefined ? undefined : relative(out, configuration).split(sep).join('/');
  const files = renderProject(await readTemplates(join(own.folder, 'templates', 'project')), {
    name: packageName(out),
    generator: await generatorSpec(own, out),
    schemas,
    configuration: way?.includes('/') === true ? way : undefined,
  });
  // A project has one configuration file, whatever its form.
  return way === undefined ? files : new Map([...files].filter(([path]) => !path.startsWith('tablewright.config.')));
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
        'Grant it the right to: GRANT USAGE ON SCHEMA … and GRANT SELECT ON ALL TABLES IN SCHEMA … TO the role.',
      );
}
