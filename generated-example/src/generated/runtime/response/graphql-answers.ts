/** A step from the root of a response: graphql-js's `info.path`. */
export interface ResponsePath {
  readonly prev: ResponsePath | undefined;
  readonly key: string | number;
}

interface Branch {
  readonly children: Map<string | number, Branch>;
  raw?: string;
  separator?: string;
}

/**
 * The database's text for each leaf of a response that graphql-js completes. graphql-js is given a stand-in of the
 * right type for each, so that it decides about nulls and errors; `write` puts the texts in place of the stand-ins. So
 * a number has the same digits whichever way a document is answered.
 */
export class RawAnswers {
  private readonly root: Branch = { children: new Map() };
  private readonly branches = new WeakMap<ResponsePath, Branch>();

  record(path: ResponsePath, raw: string): void {
    this.branchAt(path).raw = raw;
  }

  /** What the database writes between the items of the list at `path`. */
  recordSeparator(path: ResponsePath, separator: string): void {
    this.branchAt(path).separator = separator;
  }

  /** The result of graphql-js as JSON text, every recorded leaf as the database wrote it. */
  write(data: unknown): string {
    return write(data, this.root);
  }

  private branchAt(path: ResponsePath): Branch {
    const known = this.branches.get(path);
    if (known !== undefined) return known;
    const parent = path.prev === undefined ? this.root : this.branchAt(path.prev);
    const branch = parent.children.get(path.key) ?? { children: new Map() };
    parent.children.set(path.key, branch);
    this.branches.set(path, branch);
    return branch;
  }
}

function write(value: unknown, branch: Branch | undefined): string {
  if (branch === undefined || value === null || value === undefined) return JSON.stringify(value ?? null);
  if (branch.raw !== undefined) return branch.raw;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) => write(item, branch.children.get(at)));
    return `[${items.join(branch.separator)}]`;
  }
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]: [string, unknown]) => `${JSON.stringify(key)}:${write(item, branch.children.get(key))}`,
  );
  return `{${members.join()}}`;
}
