import { compareText } from '../../../compare-text.js';
import type { SchemaNames } from '../../schema-names.js';

/** Members of the catalogue that are names of types as PostgreSQL prints them. */
const printed: ReadonlySet<string> = new Set(['formatted', 'signature']);

/** A name in quotes, with or without a dot behind it, or a name before a dot. */
const names = /"((?:[^"]|"")*)"(\.?)|([\p{L}_][\p{L}\p{N}_$]*)\./gu;

/**
 * The text of a RawCatalog with the names of the API's schemas in place of their names in the
 * database: equal schemas of other names have equal catalogues.
 * @param quoted the names of the API's schemas as `quote_ident` prints them
 */
export function inNamesOfApi(text: string, { schemaOf }: SchemaNames, quoted: ReadonlyMap<string, string>): string {
  const reprinted = (types: string): string =>
    types.replace(names, (found, inQuotes?: string, dot?: string, bare?: string) => {
      const schema = schemaOf(inQuotes?.replaceAll('""', '"') ?? bare ?? '');
      return dot === '' ? found : `${quoted.get(schema) ?? found.slice(0, -1)}.`;
    });
  const renamed = (member: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    return member === 'schema' ? schemaOf(value) : printed.has(member) ? reprinted(value) : value;
  };
  const { schemas, ...lists } = JSON.parse(text, renamed) as RawLists;
  return JSON.stringify({
    ...Object.fromEntries(Object.entries(lists).map(([list, all]) => [list, unsorted.has(list) ? all : sorted(all)])),
    schemas: sorted(schemas?.map((each) => ({ ...each, name: schemaOf(each.name) }))),
  });
}

interface Named {
  readonly schema?: string;
  readonly name: string;
  readonly signature?: string;
}

type RawLists = Readonly<Record<string, readonly Named[] | null>>;

/** Members whose order does not depend on schemas. */
const unsorted: ReadonlySet<string> = new Set(['dialect', 'extensions', 'equality']);

/** In the order of the query. */
const sorted = (all: readonly Named[] | null | undefined): readonly Named[] | null =>
  all === null || all === undefined
    ? null
    : [...all].sort(
        (a, b) =>
          compareText(a.schema ?? '', b.schema ?? '') ||
          compareText(a.name, b.name) ||
          compareText(a.signature ?? '', b.signature ?? ''),
      );
