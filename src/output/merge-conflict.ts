import { withLineFeeds } from './manifest.js';

/** Whether a text has lines of two others only, as git merges them where they do not conflict. */
export function isMergeOf(text: string, ours: string | undefined, theirs: string | undefined): boolean {
  if (ours === undefined || theirs === undefined) return false;
  const known = new Set([ours, theirs].flatMap((each) => withLineFeeds(each).split('\n')));
  return withLineFeeds(text)
    .split('\n')
    .every((line) => known.has(line));
}
