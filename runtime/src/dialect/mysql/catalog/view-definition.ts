/** What the definition of a view says about writing to it. */
export interface ViewSource {
  /** The one table or view whose rows it shows; undefined for several, and for other forms. */
  readonly base: { readonly schema: string; readonly name: string } | undefined;
  /**
   * Its columns that are plain columns of the base, with their names there: a view column with an
   * expression accepts no value.
   */
  readonly plainColumns: ReadonlyMap<string, string>;
}

interface Token {
  readonly kind: 'name' | 'text' | 'word' | 'mark';
  readonly value: string;
}

/**
 * Reads a definition as the server prints it: every name in backticks, every column with an alias,
 * a comma of FROM as JOIN. The server reports a view over a join as updatable, although it accepts
 * no DELETE and only some INSERTs: its base is undefined here.
 * Source: MariaDB manual, "Inserting and Updating with Views"
 */
export function readDefinition(definition: string): ViewSource {
  const tokens = tokenize(definition);
  const from = topLevel(tokens, 'from');
  if (
    from === undefined ||
    tokens.some(({ kind, value }) => kind === 'word' && (value === 'join' || value === 'union'))
  ) {
    return { base: undefined, plainColumns: new Map() };
  }
  return { base: baseOf(tokens.slice(from + 1)), plainColumns: plainColumns(tokens.slice(1, from)) };
}

/** Reads `schema`.`table` after FROM. */
function baseOf(tokens: readonly Token[]): ViewSource['base'] {
  const [schema, dot, name] = tokens.filter(({ kind, value }) => kind !== 'mark' || value !== '(');
  if (schema?.kind !== 'name' || dot?.value !== '.' || name?.kind !== 'name') return undefined;
  return { schema: schema.value, name: name.value };
}

/** The aliases of items that are a path of names and nothing else. */
function plainColumns(tokens: readonly Token[]): ReadonlyMap<string, string> {
  return new Map(
    items(tokens).flatMap((item) => {
      const [as, alias] = item.slice(-2);
      if (as?.value !== 'as' || alias?.kind !== 'name') return [];
      const path = item.slice(0, -2);
      const plain =
        path.length > 0 && path.every(({ kind, value }) => kind === 'name' || (kind === 'mark' && value === '.'));
      return plain ? [[alias.value, path.at(-1)?.value ?? ''] as const] : [];
    }),
  );
}

function items(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const all: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'mark' && token.value === '(') depth += 1;
    if (token.kind === 'mark' && token.value === ')') depth -= 1;
    if (token.kind === 'mark' && token.value === ',' && depth === 0) all.push([]);
    else all.at(-1)?.push(token);
  }
  return all;
}

function topLevel(tokens: readonly Token[], word: string): number | undefined {
  let depth = 0;
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind === 'mark' && value === '(') depth += 1;
    else if (kind === 'mark' && value === ')') depth -= 1;
    else if (kind === 'word' && value === word && depth === 0) return at;
  }
  return undefined;
}

function tokenize(text: string): readonly Token[] {
  const pattern = /`((?:[^`]|``)*)`|('(?:[^'\\]|''|\\[\s\S])*')|([A-Za-z_][A-Za-z0-9_]*)|(\S)/g;
  return [...text.matchAll(pattern)].map(([, name, quoted, word, mark]): Token => {
    if (name !== undefined) return { kind: 'name', value: name.replaceAll('``', '`') };
    if (quoted !== undefined) return { kind: 'text', value: quoted };
    if (word !== undefined) return { kind: 'word', value: word.toLowerCase() };
    return { kind: 'mark', value: mark ?? '' };
  });
}
