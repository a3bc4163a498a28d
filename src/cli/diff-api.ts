import { buildModel, parseCatalog, type Catalog, type ModelOptions } from '@tablewright/runtime/model';
import { parse } from 'graphql';
import { findFiles, namingIn, readRecorded, reportApi, type ApiReport, type ApiState } from '../api/index.js';
import type { Config } from '../config/load.js';
import { TablewrightError } from '../errors.js';
import { committedFile, readDatabase } from '../generate.js';
import { apiMarkdown } from './api-markdown.js';
import { apiLines, statLines } from './api-text.js';
import { exitCodes } from './exit-codes.js';
import { fileAtCommit } from '../git.js';
import { rightsBefore, rightsIn, viewOf } from './role-view.js';
import { configure, printJson, progressOf, type Session, type SourceFlags } from './session.js';

/** What `diff --api` takes beside the flags of `diff`. */
export interface ApiFlags extends SourceFlags {
  readonly offline?: boolean;
  readonly api?: boolean;
  readonly since?: string;
  readonly documents?: readonly string[];
  readonly role?: string;
  readonly stat?: boolean;
  readonly markdown?: boolean;
}

/** Shows what differs for clients between the committed API and that of the database. */
export async function diffApi(session: Session, flags: ApiFlags): Promise<void> {
  const forms = [flags.json, flags.stat, flags.markdown].filter((each) => each === true);
  if (forms.length > 1) {
    throw new TablewrightError('USAGE', '--json, --stat and --markdown exclude each other.', 'Give one of them.');
  }
  const config = await configure(session, flags);
  const progress = progressOf(session, flags);
  const before = await committedState(config, flags.since);
  const catalog = await progress.stage('Read the database', () => newCatalog(session, config, flags));
  const recorded =
    flags.documents === undefined ? undefined : await readRecorded(await findFiles(session.folder, flags.documents));
  const after = { catalog, model: buildModel(catalog, config.model), settings: config.settings };
  const [was, is] = await asRole(session, config, flags, [before, after]);
  const report = await progress.stage('Compare the APIs', () => reportApi(was, is, recorded));
  session.exitCode = report.breaking ? exitCodes.breaking : exitCodes.success;
  const { print, colors } = session.terminal;
  if (flags.json === true) printJson(session, documentOf(report));
  else if (flags.markdown === true) print(apiMarkdown(report));
  else if (flags.stat === true) for (const line of statLines(report, colors.out)) print(line);
  else for (const line of apiLines(report, colors.out, flags.verbose === true)) print(line);
}

/** Both states as a role has them. Grants are those of today: the past has none. */
async function asRole(
  session: Session,
  config: Config,
  { role, offline }: ApiFlags,
  [before, after]: readonly [ApiState, ApiState],
): Promise<readonly [ApiState, ApiState]> {
  if (role === undefined) return [before, after];
  const rights = await rightsIn(session, config, { role, offline });
  const past = rightsBefore(rights, before.catalog, after.catalog);
  return [
    { ...before, schema: undefined, ...viewOf(before, role, past, config) },
    { ...after, ...viewOf(after, role, rights, config) },
  ];
}

/** What `--json` prints. docs/migrations.md describes it: members may be added, not changed. */
const documentOf = ({ breaking, counts, renames, changes, operations }: ApiReport): unknown => ({
  breaking,
  counts,
  renames,
  changes,
  ...(operations === undefined ? {} : { operations }),
});

async function newCatalog(session: Session, config: Config, { offline }: ApiFlags): Promise<Catalog> {
  if (offline !== true) return readDatabase({ ...config, signal: session.signal });
  return committedCatalog(config, undefined);
}

/** What clients have: the catalogue and the schema that are committed, now or at `commit`. */
export async function committedState(config: Config, commit: string | undefined): Promise<ApiState> {
  const catalog = await committedCatalog(config, commit);
  const schema = await committedText(config, 'schema.graphql', commit);
  const model = buildModel(catalog, await committedOptions(config, commit));
  return { catalog, model, schema: isSchema(schema) ? schema : undefined, settings: config.settings };
}

/**
 * The naming options of the committed code: clients know these names, even if the configuration has
 * changed since.
 */
async function committedOptions(config: Config, commit: string | undefined): Promise<ModelOptions> {
  const text = await committedText(config, 'index.ts', commit);
  const naming = text === undefined ? undefined : namingIn(text);
  return naming === undefined ? config.model : { ...withoutNaming(config.model), ...naming };
}

/** What of the options has no part in names. */
const withoutNaming = ({ bigint, numeric }: ModelOptions): ModelOptions => ({
  ...(bigint === undefined ? {} : { bigint }),
  ...(numeric === undefined ? {} : { numeric }),
});

/** A commit before the first `generate` has an API with nothing in it: everything is new. */
async function committedCatalog(config: Config, commit: string | undefined): Promise<Catalog> {
  const text = await committedText(config, 'catalog.json', commit);
  if (text !== undefined) return parseCatalog(text);
  if (commit !== undefined) return parseCatalog('{ "dialect": "postgres" }');
  throw new TablewrightError(
    'USAGE',
    `There is no src/generated/catalog.json in ${config.out}.`,
    'Name the project’s folder with --out, or generate it first: the generated files describe the current API.',
  );
}

const committedText = (config: Config, name: string, commit: string | undefined): Promise<string | undefined> =>
  commit === undefined ? committedFile(config.out, name) : fileAtCommit(config.out, commit, `src/generated/${name}`);

/**
 * A schema that was edited and no longer parses is a difference for `check`; here the catalogue
 * replaces it.
 */
function isSchema(text: string | undefined): boolean {
  if (text === undefined) return false;
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
