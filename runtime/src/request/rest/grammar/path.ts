import type { JsonStep } from '../../../plan/intent.js';
import { limits } from './limits.js';
import { limitExceeded } from './malformed.js';
import { Scanner } from './scanner.js';

/** A column, or a place inside a JSON column. */
export interface ColumnPath {
  readonly column: string;
  readonly path: readonly JsonStep[];
}

/**
 * Reads `column->key->0->>last`: a column and a path into its JSON. Stops before any of `stops`;
 * keys and names that contain such a character are quoted. Throws ServerError 400.
 * Source: decision 006; PostgREST, "JSON columns".
 *
 * @accepts `a` `a b` `"a.b"` `a->b` `a->>b` `a->b->>c` `a->0` `a->-1->>b` `a->"b.c"` `data->>a b`
 * @rejects `` `->b` `a->` `a->>` `a->>b->c` `a->>b->>c` `"a` `a->"b`
 */
export function readColumnPath(scanner: Scanner, stops: string): ColumnPath {
  const column = scanner.identifier(stops, 'the name of a column');
  const path: JsonStep[] = [];
  while (scanner.looksAt('->')) {
    if (path.at(-1)?.arrow === '->>')
      throw scanner.error('`->>` makes text, which has nothing inside: use `->` before it');
    if (path.length === limits.steps) {
      throw limitExceeded(
        `The JSON path in parameter "${scanner.parameter}" has more than ${String(limits.steps)} steps.`,
      );
    }
    path.push(readStep(scanner, stops));
  }
  return { column, path };
}

const index = /^-?\d{1,9}$/;

function readStep(scanner: Scanner, stops: string): JsonStep {
  const arrow = scanner.take('->>') ? '->>' : '->';
  if (arrow === '->') scanner.expect('->');
  if (scanner.looksAt('"')) return { arrow, key: scanner.quoted() };
  // A key without quotes then ends at these characters alone.
  const ends = scanner.grammar.bareNames === 'letters' ? stops.replaceAll(/[^(:.,)>]/g, '') : stops;
  const key = scanner.name(ends, 'a key or an index');
  return { arrow, key: index.test(key) ? Number(key) : key };
}

/** Reads a whole text as a column path. Throws ServerError 400. */
export function parseColumnPath(text: string, parameter: string): ColumnPath {
  const scanner = new Scanner(text, parameter);
  const path = readColumnPath(scanner, '');
  if (!scanner.done) throw scanner.error('expected the end of the name');
  return path;
}
