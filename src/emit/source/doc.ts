/**
 * A small pretty printer: documents with optional line breaks, laid out in 120 columns. Its groups break as Prettier's do, so that
 * what is printed is already in Prettier's form. After Philip Wadler, "A prettier printer" (1997).
 */
export type Doc = string | readonly Doc[] | Line | Group | Indent | Choice | Hug;

interface Line {
  readonly kind: 'line';
  /** What it is when its group fits on one line; null: it always breaks. */
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

/** One text where the group is broken, another where it is not. */
interface Choice {
  readonly kind: 'choice';
  readonly broken: string;
  readonly flat: string;
}

/** The first of three layouts that fits: all on one line, only the last argument broken, everything broken. */
interface Hug {
  readonly kind: 'hug';
  readonly flat: Doc;
  readonly hugged: Doc;
  readonly broken: Doc;
}

export const line: Doc = { kind: 'line', flat: ' ' };
export const softline: Doc = { kind: 'line', flat: '' };
export const hardline: Doc = { kind: 'line', flat: null };
export const group = (content: Doc): Doc => ({ kind: 'group', content });
export const indent = (content: Doc): Doc => ({ kind: 'indent', content });
export const ifBroken = (broken: string, flat = ''): Doc => ({ kind: 'choice', broken, flat });
export const hug = (flat: Doc, hugged: Doc, broken: Doc): Doc => ({ kind: 'hug', flat, hugged, broken });

export function join(separator: Doc, docs: readonly Doc[]): Doc {
  return docs.flatMap((doc, at) => (at === 0 ? [doc] : [separator, doc]));
}

const width = 120;

/** A document still to be printed: its indentation, and whether its lines break. */
interface Task {
  readonly doc: Doc;
  readonly depth: number;
  readonly broken: boolean;
}

/** The text of a document. */
export function print(doc: Doc): string {
  const out: string[] = [];
  const tasks: Task[] = [{ doc, depth: 0, broken: true }];
  let column = 0;
  const write = (text: string): void => {
    out.push(text);
    const end = text.lastIndexOf('\n');
    column = end === -1 ? column + text.length : text.length - end - 1;
  };

  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { depth, broken } = task;
    const { doc: current } = task;
    if (typeof current === 'string') write(current);
    else if (isList(current)) pushAll(tasks, current, depth, broken);
    else if (current.kind === 'indent') tasks.push({ doc: current.content, depth: depth + 1, broken });
    else if (current.kind === 'choice') write(broken ? current.broken : current.flat);
    else if (current.kind === 'line') {
      if (broken || current.flat === null) {
        out.push('\n', '  '.repeat(depth));
        column = depth * 2;
      } else write(current.flat);
    } else if (current.kind === 'group') {
      const flat = { doc: current.content, depth, broken: false };
      tasks.push(!broken || fits(flat, tasks, width - column) ? flat : { ...flat, broken: true });
    } else tasks.push(layoutOf(current, task, tasks, width - column));
  }
  return out.join('').replace(/[ \t]+$/gm, '');
}

function layoutOf(doc: Hug, task: Task, rest: readonly Task[], room: number): Task {
  const flat = { doc: doc.flat, depth: task.depth, broken: false };
  if (!task.broken || fits(flat, rest, room)) return flat;
  const hugged = { doc: doc.hugged, depth: task.depth, broken: true };
  return fits(hugged, rest, room) ? hugged : { ...hugged, doc: doc.broken };
}

/** Whether everything up to the next line break fits into what is left of the line. */
function fits(next: Task, rest: readonly Task[], room: number): boolean {
  const tasks: Task[] = [next];
  let left = room;
  let at = rest.length;
  while (left >= 0) {
    const task = tasks.pop() ?? rest[(at -= 1)];
    if (task === undefined) return true;
    const { doc, depth, broken } = task;
    if (typeof doc === 'string') {
      const end = doc.indexOf('\n');
      left -= end === -1 ? doc.length : end;
      if (end !== -1) return left >= 0;
    } else if (isList(doc)) pushAll(tasks, doc, depth, broken);
    else if (doc.kind === 'indent') tasks.push({ doc: doc.content, depth, broken });
    else if (doc.kind === 'choice') left -= (broken ? doc.broken : doc.flat).length;
    else if (doc.kind === 'line') {
      // What always breaks can't be part of a line.
      if (doc.flat === null) return broken;
      if (broken) return true;
      left -= doc.flat.length;
    } else if (doc.kind === 'group') tasks.push({ doc: doc.content, depth, broken: false });
    else tasks.push({ doc: broken ? doc.broken : doc.flat, depth, broken });
  }
  return false;
}

function pushAll(tasks: Task[], docs: readonly Doc[], depth: number, broken: boolean): void {
  for (let at = docs.length - 1; at >= 0; at -= 1) tasks.push({ doc: docs[at] ?? '', depth, broken });
}

function isList(doc: Exclude<Doc, string>): doc is readonly Doc[] {
  return Array.isArray(doc);
}
