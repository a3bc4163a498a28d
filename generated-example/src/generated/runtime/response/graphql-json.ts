/**
 * A JSON text of the database's, looked into without being decoded: what is not looked into stays text, digit for
 * digit. The text is trusted to be JSON: a database wrote it.
 */
export class JsonText {
  private members: ReadonlyMap<string, JsonText> | undefined;

  private constructor(
    private readonly text: string,
    private readonly start: number,
    private readonly end: number,
  ) {}

  static of(text: string): JsonText {
    const start = skipSpace(text, 0);
    return new JsonText(text, start, endOfValue(text, start));
  }

  get raw(): string {
    return this.text.slice(this.start, this.end);
  }

  get isNull(): boolean {
    return this.text.charAt(this.start) === 'n';
  }

  get isList(): boolean {
    return this.text.charAt(this.start) === '[';
  }

  /** The value of a key of an object; undefined when it has no such key or is no object. */
  get(key: string): JsonText | undefined {
    this.members ??= this.readMembers();
    return this.members.get(key);
  }

  /** The items of a list; empty for anything else. */
  items(): readonly JsonText[] {
    if (!this.isList) return [];
    const items: JsonText[] = [];
    let at = skipSpace(this.text, this.start + 1);
    while (this.text.charAt(at) !== ']') {
      const end = endOfValue(this.text, at);
      items.push(new JsonText(this.text, at, end));
      at = afterComma(this.text, end);
    }
    return items;
  }

  /** What stands between the items of a list: PostgreSQL's `json_agg` begins a line for each. */
  separator(): string {
    const [first, second] = this.items();
    return first === undefined || second === undefined ? ',' : this.text.slice(first.end, second.start);
  }

  private readMembers(): ReadonlyMap<string, JsonText> {
    const members = new Map<string, JsonText>();
    if (this.text.charAt(this.start) !== '{') return members;
    let at = skipSpace(this.text, this.start + 1);
    while (this.text.charAt(at) !== '}') {
      const endOfKey = endOfString(this.text, at);
      const key = JSON.parse(this.text.slice(at, endOfKey)) as string;
      const start = skipSpace(this.text, skipSpace(this.text, endOfKey) + 1);
      const end = endOfValue(this.text, start);
      members.set(key, new JsonText(this.text, start, end));
      at = afterComma(this.text, end);
    }
    return members;
  }
}

const space = new Set([' ', '\n', '\r', '\t']);

function skipSpace(text: string, at: number): number {
  while (space.has(text.charAt(at))) at += 1;
  return at;
}

/** The next item or member, or the bracket that ends them. */
function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charAt(at) === ',' ? skipSpace(text, at + 1) : at;
}

function endOfValue(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfBrackets(text, start);
  let at = start;
  while (at < text.length && !',]} \n\r\t'.includes(text.charAt(at))) at += 1;
  return at;
}

function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return at;
}

/** Just after the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
