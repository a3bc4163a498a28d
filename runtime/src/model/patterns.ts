/**
 * Names in the configuration: `schema.table`, `schema.table.column`, with `*` for any text without
 * a dot. Dots in a name need no escape.
 */
export class Patterns {
  private readonly compiled: readonly { readonly source: string; readonly expression: RegExp }[];
  private readonly used = new Set<string>();

  constructor(sources: readonly string[] = []) {
    this.compiled = sources.map((source) => ({ source, expression: compile(source) }));
  }

  /** Whether a pattern names exactly these parts, joined by dots. */
  matches(...parts: readonly string[]): boolean {
    const name = parts.join('.');
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
    .map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
    .join('[^.]*');
  return new RegExp(`^${literal}$`, 'su');
}
