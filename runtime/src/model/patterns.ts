/** Stands for a dot within a name, so that `*` matches it. No name of a database has it. */
const DOT = '\0';

/**
 * Names in the configuration: `schema.table`, `schema.table.column`, with `*` for any text within
 * one name. Dots in a name need no escape.
 */
export class Patterns {
  private readonly compiled: readonly { readonly source: string; readonly expression: RegExp }[];
  private readonly used = new Set<string>();

  constructor(sources: readonly string[] = []) {
    this.compiled = sources.map((source) => ({ source, expression: compile(source) }));
  }

  /** Whether a pattern names exactly these parts, joined by dots. */
  matches(...parts: readonly string[]): boolean {
    const name = parts.length === 1 ? parts.join('') : parts.map((part) => part.replaceAll('.', DOT)).join('.');
    const found = this.compiled.filter(({ expression }) => expression.test(name));
    for (const { source } of found) this.used.add(source);
    return found.length > 0;
  }

  /** Patterns that have matched nothing so far. */
  unused(): readonly string[] {
    return this.compiled.map(({ source }) => source).filter((source) => !this.used.has(source));
  }
}

function compile(source: string): RegExp {
  const literal = source
    .split('*')
    .map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('\\.', `[.${DOT}]`))
    .join('[^.]*');
  return new RegExp(`^${literal}$`, 'su');
}
