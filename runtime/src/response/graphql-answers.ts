import { databaseJsonText } from './graphql-json.js';

/** A step from the root of a response: graphql-js's `info.path`. */
export interface ResponsePath {
  readonly prev: ResponsePath | undefined;
  readonly key: string | number;
}

/** The JSON text of each root field, by response key. */
export type FieldTexts = ReadonlyMap<string, string>;

/** The records below a path: branches, and the values of leaves. */
class Branch {
  readonly children = new Map<string | number, unknown>();
}

/**
 * The database's value for each leaf of a response that graphql-js completes. graphql-js is given a
 * stand-in of the right type for each, so that it decides about nulls and errors; `write` puts the
 * values in place of the stand-ins. So a number has the same digits whichever way a document is
 * answered.
 */
export class RawAnswers {
  private readonly root = new Branch();
  private readonly branches = new WeakMap<ResponsePath, Branch>();

  record(path: ResponsePath, value: unknown): void {
    const parent = path.prev === undefined ? this.root : this.branchAt(path.prev);
    parent.children.set(path.key, value);
  }

  /**
   * The result of graphql-js as JSON texts, every recorded leaf as it was recorded; undefined for
   * no data.
   */
  write(data: Readonly<Record<string, unknown>> | null | undefined): FieldTexts | undefined {
    if (data === null || data === undefined) return undefined;
    return new Map(Object.entries(data).map(([key, value]) => [key, write(value, this.root.children.get(key))]));
  }

  private branchAt(path: ResponsePath): Branch {
    const known = this.branches.get(path);
    if (known !== undefined) return known;
    const parent = path.prev === undefined ? this.root : this.branchAt(path.prev);
    const found = parent.children.get(path.key);
    const branch = found instanceof Branch ? found : new Branch();
    parent.children.set(path.key, branch);
    this.branches.set(path, branch);
    return branch;
  }
}

/** The data of an answer. */
export const dataText = (fields: FieldTexts | undefined): string =>
  fields === undefined ? 'null' : `{${[...fields].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;

function write(value: unknown, branch: unknown): string {
  if (branch === undefined || value === null || value === undefined) return JSON.stringify(value ?? null);
  if (!(branch instanceof Branch)) return databaseJsonText(branch);
  if (Array.isArray(value)) return `[${value.map((item: unknown, at) => write(item, branch.children.get(at))).join()}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]: [string, unknown]) => `${JSON.stringify(key)}:${write(item, branch.children.get(key))}`,
  );
  return `{${members.join()}}`;
}
