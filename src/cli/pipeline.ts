import { relative } from 'node:path';
import type { Config } from '../config/load.js';
import { committedCatalog, generate, type GenerateOptions, type GenerateResult } from '../generate.js';
import { TablewrightError } from '../errors.js';
import { type ApiChange, buildModel, compareModels } from '@tablewright/runtime/model';
import { configure, progressOf, type Session, type SourceFlags } from './session.js';

/** The inputs of the pipeline in a configuration. */
export const optionsOf = (config: Config): GenerateOptions => ({
  url: config.url,
  schemas: config.schemas,
  databases: config.databases,
  out: config.out,
  model: config.model,
  mayBeMissing: config.mayBeMissing,
  settings: config.settings,
  configuration: config.file,
});

/** The files on disk, compared with the files that would be written. */
export interface Comparison extends GenerateResult {
  readonly config: Config;
  /**
   * The effect of the difference on clients of the API; empty when nothing was generated before.
   */
  readonly changes: readonly ApiChange[];
}

/**
 * Regenerates in memory, from the database or (`offline`) from the committed catalogue. Writes
 * nothing.
 */
export async function compareWithDisk(
  session: Session,
  flags: SourceFlags & { readonly offline?: boolean },
): Promise<Comparison> {
  const config = await configure(session, flags);
  const offline = flags.offline === true;
  const result = await generate({
    ...optionsOf(config),
    ...(offline ? { catalog: await requireCommitted(config) } : {}),
    dryRun: true,
    signal: session.signal,
    reporter: progressOf(session, flags),
  });
  return { ...result, config, changes: offline ? [] : await apiChanges(config, result) };
}

async function requireCommitted({ out }: Config): Promise<GenerateOptions['catalog']> {
  const catalog = await committedCatalog(out);
  if (catalog !== undefined) return catalog;
  throw new TablewrightError(
    'USAGE',
    `There is no src/generated/catalog.json in ${out}.`,
    'Name the project’s folder with --out, or generate it first; without --offline the database is read.',
  );
}

async function apiChanges(config: Config, { model }: GenerateResult): Promise<readonly ApiChange[]> {
  // A committed catalogue that cannot be read is a difference; its content is unknown.
  const before = await committedCatalog(config.out).catch(() => undefined);
  return before === undefined ? [] : compareModels(buildModel(before, config.model), model);
}

/**
 * The command that writes what `check` and `diff` compare with. The address is left out: it may
 * hold a password.
 */
export function mendingCommand(flags: SourceFlags): string {
  const parts = ['npx tablewright generate'];
  if (flags.schemas !== undefined) parts.push('--schemas', flags.schemas.join(','));
  if (flags.out !== undefined) parts.push('--out', flags.out);
  if (flags.config !== undefined) parts.push('--config', flags.config);
  return parts.map((part) => (/[^\w@%+=:,./ -]/.test(part) ? `'${part}'` : part)).join(' ');
}

/** A folder as one would type it. */
export const shownFolder = (session: Session, folder: string): string => {
  const path = relative(session.folder, folder);
  return path === '' ? '.' : path;
};
