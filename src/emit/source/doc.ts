/**
 * A small pretty printer: lays out documents with optional line breaks in 120 columns. Its groups
 * break as Prettier's do, so that the output is already formatted. After Philip Wadler, "A prettier
 * printer" (1997).
 */
export type Doc = string | readonly Doc[] | Line | Group | Indent | Choice | Hug;

interface Line {
  readonly kind: 'line';
  /** The text if the group fits on one line; null: always a line break. */
  readonly flat: string | null;
}

interface Group {
  readonly kind: 'group';
  readonly content: Doc;
}

interface Indent {
  readonly kind: 'indent';
  readonly content: Doc;
}

/** A text that depends on whether the group is broken. */
interface Choice {
  readonly kind: 'choice';
  readonly broken: string;
  readonly flat: string;
}

/**
 * The first of three layouts that fits: everything on one line, only the last argument broken,
 * everything broken.
 */
interface Hug {
  readonly kind: 'hug';
  readonly flat: Doc;
  readonly hugged: () => Doc;
  readonly broken: () => Doc;
}

export const line: Doc = { kind: 'line', flat: ' ' };
export const softline: Doc = { kind: 'line', flat: '' };
export const hardline: Doc = { kind: 'line', flat: null };
export const group = (content: Doc): Doc => ({ kind: 'group', content });
export const indent = (content: Doc): Doc => ({ kind: 'indent', content });
export const ifBroken = (broken: string, flat = ''): Doc => ({ kind: 'choice', broken, flat });
export const hug = (flat: Doc, hugged: () => Doc, broken: () => Doc): Doc => ({ kind: 'hug', flat, hugged, broken });

export function join(separator: Doc, docs: readonly Doc[]): Doc {
  const joined: Doc[] = [];
  for (const doc of docs) {
    if (joined.length > 0) joined.push(separator);
    joined.push(doc);
  }
  return joined;
}

/** Largest number of columns of a line. */
export const width = 120;

/**
 * The text of a document.
 * @param depth its level of indentation
 * @param before number of characters before it on its line
 */
export function print(doc: Doc, depth = 0, before = 0): string {
  return new Printer(depth * 2 + before).print(doc, depth);
}

/**
 * A stack of documents to print, each with its level of indentation and whether its lines break.
 */
class Stack {
  readonly docs: Doc[] = [];
  readonly depths: number[] = [];
  readonly broken: boolean[] = [];

  push(doc: Doc, depth: number, broken: boolean): void {
    this.docs.push(doc);
    this.depths.push(depth);
    this.broken.push(broken);
  }

  pushAll(docs: readonly Doc[], depth: number, broken: boolean): void {
    for (let at = docs.length - 1; at >= 0; at -= 1) this.push(docs[at] ?? '', depth, broken);
  }

  clear(): void {
    this.docs.length = this.depths.length = this.broken.length = 0;
  }
}

class Printer {
  private readonly out: string[] = [];
  private readonly tasks = new Stack();
  private readonly trial = new Stack();
  /** Indentation is written with the first text of the line, so that no line ends in spaces. */
  private indentation = 0;

  constructor(private column: number) {}

  print(document: Doc, depth: number): string {
    const { tasks } = this;
    tasks.push(document, depth, true);
    for (let doc = tasks.docs.pop(); doc !== undefined; doc = tasks.docs.pop()) {
      this.printOne(doc, tasks.depths.pop() ?? 0, tasks.broken.pop() ?? true);
    }
    return this.out.join('');
  }

  private printOne(doc: Doc, depth: number, broken: boolean): void {
    if (typeof doc === 'string') {
      this.write(doc);
      return;
    }
    if (isList(doc)) {
      this.tasks.pushAll(doc, depth, broken);
      return;
    }
    switch (doc.kind) {
      case 'indent':
        this.tasks.push(doc.content, depth + 1, broken);
        break;
      case 'choice':
        this.write(broken ? doc.broken : doc.flat);
        break;
      case 'line':
        if (broken || doc.flat === null) this.breakLine(depth);
        else this.write(doc.flat);
        break;
      case 'group':
        this.tasks.push(doc.content, depth, broken && !this.fits(doc.content, false));
        break;
      case 'hug':
        this.printHug(doc, depth, broken);
    }
  }

  private printHug(doc: Hug, depth: number, broken: boolean): void {
    if (!broken || this.fits(doc.flat, false)) {
      this.tasks.push(doc.flat, depth, false);
      return;
    }
    const hugged = doc.hugged();
    this.tasks.push(this.fits(hugged, true) ? hugged : doc.broken(), depth, true);
  }

  private write(text: string): void {
    if (text === '') return;
    if (this.indentation > 0) this.out.push(' '.repeat(this.indentation));
    this.indentation = 0;
    this.out.push(text);
    this.column += text.length;
  }

  private breakLine(depth: number): void {
    this.out.push('\n');
    this.indentation = this.column = depth * 2;
  }

  /**
   * Whether a document fits into the rest of the line, together with the text after it up to the
   * next line break.
   */
  private fits(doc: Doc, broken: boolean): boolean {
    const { tasks, trial } = this;
    trial.clear();
    trial.push(doc, 0, broken);
    let left = width - this.column;
    let rest = tasks.docs.length;
    while (left >= 0) {
      let next = trial.docs.pop();
      let breaks = trial.broken.pop() ?? true;
      trial.depths.pop();
      if (next === undefined) {
        rest -= 1;
        next = tasks.docs[rest];
        breaks = tasks.broken[rest] ?? true;
        if (next === undefined) return true;
      }
      if (typeof next === 'string') left -= next.length;
      else if (isList(next)) trial.pushAll(next, 0, breaks);
      else if (next.kind === 'indent') trial.push(next.content, 0, breaks);
      else if (next.kind === 'choice') left -= (breaks ? next.broken : next.flat).length;
      else if (next.kind === 'group') trial.push(next.content, 0, false);
      else if (next.kind === 'hug') trial.push(breaks ? next.broken() : next.flat, 0, breaks);
      // A line that always breaks does not fit on one line.
      else if (breaks || next.flat === null) return breaks;
      else left -= next.flat.length;
    }
    return false;
  }
}

function isList(doc: Exclude<Doc, string>): doc is readonly Doc[] {
  return Array.isArray(doc);
}
