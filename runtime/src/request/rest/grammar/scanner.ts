import type { ErrorReason, ServerError } from '../../../errors.js';
import { malformedParameter } from './malformed.js';
import { ownGrammar, type RestGrammar } from './rest-grammar.js';

/**
 * Reads a decoded parameter from left to right, each character once. Errors name the parameter and
 * the character where reading stopped.
 */
export class Scanner {
  at = 0;

  constructor(
    readonly text: string,
    readonly parameter: string,
    readonly malformed: typeof malformedParameter = malformedParameter,
    readonly grammar: RestGrammar = ownGrammar,
  ) {}

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** Whether `token` comes next. */
  looksAt(token: string): boolean {
    return this.text.startsWith(token, this.at);
  }

  /** Passes over `token` if it comes next; returns whether it did. */
  take(token: string): boolean {
    if (!this.looksAt(token)) return false;
    this.at += token.length;
    return true;
  }

  /** Passes over `token`. Throws ServerError 400 if something else comes next. */
  expect(token: string): void {
    if (!this.take(token)) throw this.error(`expected \`${token}\``);
  }

  /** Passes over blanks and tabs, where they have no meaning. */
  blanks(): void {
    if (this.grammar.blanks === 'kept') return;
    while (this.looksAt(' ') || this.looksAt('\t')) this.at += 1;
  }

  /** Passes over the text up to the first of `stops`, or to the end, and returns it. */
  until(stops: string): string {
    const start = this.at;
    while (this.at < this.text.length && !stops.includes(this.text.charAt(this.at))) this.at += 1;
    return this.text.slice(start, this.at);
  }

  /**
   * Reads a text in double quotes, in which `\"` and `\\` stand for `"` and `\`. Source: PostgREST,
   * "Reserved characters".
   */
  quoted(): string {
    this.expect('"');
    let text = '';
    for (;;) {
      text += this.until('"\\');
      if (this.take('"')) return text;
      this.take('\\');
      const escaped = this.text.charAt(this.at);
      if (escaped === '') throw this.error('a quoted text has no closing `"`');
      text += escaped;
      this.at += 1;
    }
  }

  /**
   * Reads a name: in double quotes, or up to the first of `stops` or `->`. Throws ServerError 400
   * if it is empty.
   */
  name(stops: string, what: string): string {
    this.blanks();
    if (this.looksAt('"')) {
      const quoted = this.quoted();
      this.blanks();
      return quoted;
    }
    const start = this.at;
    while (this.at < this.text.length && !stops.includes(this.text.charAt(this.at)) && !this.looksAt('->'))
      this.at += 1;
    if (this.at === start) throw this.error(`expected ${what}`);
    const name = this.text.slice(start, this.at);
    return this.grammar.blanks === 'ignored' ? name.trimEnd() : name;
  }

  /** The same, of which the grammar limits the characters. */
  identifier(stops: string, what: string): string {
    if (this.grammar.bareNames === 'unreserved') return this.name(stops, what);
    this.blanks();
    if (this.looksAt('"')) return this.name(stops, what);
    const [name = ''] = /^(?:[\p{L}\p{M}\p{N}_$ ]|-(?!>))*/u.exec(this.text.slice(this.at)) ?? [];
    if (name === '') throw this.error(`expected ${what}`);
    this.at += name.length;
    return name.trimEnd();
  }

  error(problem: string, hint = quotingHint, reason = this.stopped(problem)): ServerError {
    const place = this.done ? 'at its end' : `at character ${String(this.at + 1)}`;
    return this.malformed(this.parameter, `${problem} ${place}.`, hint, reason);
  }

  /** Where reading stopped, for a form of REST that has words of its own for it. */
  stopped(problem: string, at = this.at, found?: string): ErrorReason {
    const expected = /^expected (.*)$/s.exec(problem)?.[1];
    const { parameter, text } = this;
    return { kind: 'parse', parameter, text, at, expected, ...(found === undefined ? {} : { found }) };
  }
}

const quotingHint = 'Names and values with reserved characters are written in double quotes, percent-encoded as %22.';
