import type { MediaHandler } from '@tablewright/runtime/model';
import { objects, string, type Entry } from './source/typescript.js';

/** The aggregates that write the rows of a table, or any rows. Without any there is no member. */
export function mediaHandlersEntry(mediaHandlers: readonly MediaHandler[] = []): readonly Entry[] {
  if (mediaHandlers.length === 0) return [];
  const docs = mediaHandlers.map(({ schema, name, media, takesAny, isBinary }): readonly Entry[] => [
    ['schema', string(schema)],
    ['name', string(name)],
    ['media', string(media)],
    ...(takesAny === true ? [['takesAny', 'true'] as const] : []),
    ...(isBinary === true ? [['isBinary', 'true'] as const] : []),
  ]);
  return [['mediaHandlers', objects(docs)]];
}
