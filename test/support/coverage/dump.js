import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TraceMap, decodedMappings } from '@jridgewell/trace-mapping';

/** The code of this repository, as TypeScript in Jest's workers, and built in other processes. */
const ours = /^file:.*\/(?:(?:runtime|console)\/)?(?:src\/.*\.ts|dist\/.*\.js)$/;

/** Where the code of a script comes from: [offset, file, line] of each piece of it. */
const origins = new Map();

/**
 * Adds what ran in one process.
 * @param dump the content of a file that Node writes (NODE_V8_COVERAGE)
 * @param ran the lines that have run, by file
 */
export function addDump({ result, 'source-map-cache': maps = {} }, ran) {
  for (const { url, functions } of result) {
    if (!ours.test(url) || url.includes('/node_modules/') || maps[url] === undefined) continue;
    const pieces = origins.get(url) ?? readOrigins(maps[url], url);
    origins.set(url, pieces);
    const counts = countsOf(functions);
    for (const { offset, file, line } of pieces) {
      if (counts[offset] === 0) continue;
      const lines = ran.get(file) ?? new Set();
      ran.set(file, lines.add(line));
    }
  }
}

/** How often each character of a script ran. An inner range says more than the range around it. */
function countsOf(functions) {
  const ranges = functions.flatMap((each) => each.ranges);
  ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  const counts = new Uint8Array(ranges[0]?.endOffset ?? 0);
  for (const { startOffset, endOffset, count } of ranges) counts.fill(Math.min(count, 1), startOffset, endOffset);
  return counts;
}

function readOrigins({ lineLengths, data, url: mapUrl }, url) {
  const content = data ?? (existsSync(new URL(mapUrl, url)) ? readFileSync(new URL(mapUrl, url), 'utf8') : undefined);
  if (content === undefined || content === null) return [];
  const map = new TraceMap(content, new URL(mapUrl ?? url, url).href);
  const files = map.resolvedSources.map((source) => (source.startsWith('file:') ? fileURLToPath(source) : source));
  let start = 0;
  return decodedMappings(map).flatMap((segments, at) => {
    const from = start;
    start += (lineLengths[at] ?? 0) + 1;
    return segments.flatMap(([column, source, line]) =>
      source === undefined ? [] : [{ offset: from + column, file: files[source], line: line + 1 }],
    );
  });
}
