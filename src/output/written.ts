import { hasConflictMarkers } from '@tablewright/runtime/model';
import { isMergeOf } from './merge-conflict.js';
import { hashText, isManifest, isSameText, parseManifest, readManifest, type Origin } from './manifest.js';

/** How it is known what a folder's generated files were when they were written. */
export interface Witnesses {
  /**
   * The files that the catalogue in the folder gives with these inputs (undefined: those of this
   * run); undefined where the catalogue cannot be read.
   */
  readonly emitAgain: (inputs: unknown) => Promise<ReadonlyMap<string, string> | undefined>;
  /** The text of a file at the newest commit; undefined where there is none. */
  readonly committed: (path: string) => Promise<string | undefined>;
  /** The same at the commit that git is merging, rebasing or picking; undefined without one. */
  readonly merging?: (path: string) => Promise<string | undefined>;
}

/** The generated files of a folder as they were written. */
export interface Written {
  readonly has: (path: string) => boolean;
  readonly paths: readonly string[];
  /** Otherwise more files may be ours: each that says so. */
  readonly isComplete: boolean;
  /** Whether a file has another text than the one that was written. */
  readonly isEdited: (path: string, text: string) => Promise<boolean>;
}

/** Files of ours that cannot say so. */
const documents: ReadonlySet<string> = new Set(['catalog.json', 'openapi.json', 'schema.graphql']);

/**
 * Finds out what was written: by the checksums of an older manifest, otherwise by emitting again.
 * Another version of the generator may write another text today: then a file that git has as it is
 * counts as written, because replacing it loses nothing.
 */
export async function readWritten(
  manifest: string | undefined,
  origin: Origin,
  { emitAgain, committed, merging }: Witnesses,
): Promise<Written> {
  const hashes = readManifest(manifest ?? '');
  const read = parseManifest(manifest, origin);
  const isOurs = manifest !== undefined && isManifest(manifest);
  const again = hashes.size > 0 || manifest === undefined ? undefined : await emitAgain(read?.inputs);
  return {
    has: (path) => hashes.has(path) || again?.has(path) === true || (isOurs && documents.has(path)),
    paths: [...hashes.keys(), ...(again?.keys() ?? [])],
    isComplete: !isOurs || hashes.size > 0 || again !== undefined,
    isEdited: async (path, text) => {
      // What git makes of two sides is of neither, and the next text replaces it.
      if (hasConflictMarkers(text)) return false;
      if (!(await differs(path, text))) return false;
      const theirs = await merging?.(path);
      return theirs === undefined || !isMergeOf(text, await committed(path), theirs);
    },
  };

  async function differs(path: string, text: string): Promise<boolean> {
    const known = hashes.get(path);
    if (known !== undefined) return !known.has(hashText(text));
    const before = again?.get(path);
    if (before !== undefined && isSameText(before, text)) return false;
    if (manifest === undefined || (read?.isOwn === true && again !== undefined)) return true;
    const kept = await committed(path);
    return kept === undefined || !isSameText(kept, text);
  }
}
