/**
 * A value of PostgreSQL's text form of its parse trees (`pg_node_tree`): a node, a list, or a
 * token. `<>` stands for null.
 * Source: PostgreSQL, src/backend/nodes/outfuncs.c and read.c.
 */
export type TreeValue = string | TreeNode | readonly TreeValue[];

export interface TreeNode {
  /** `QUERY`, `VAR`, … */
  readonly type: string;
  readonly fields: ReadonlyMap<string, TreeValue>;
}

/** Brackets, and runs of anything else in which a backslash keeps the next character. */
const token = /[(){}]|(?:\\[^]|[^\s(){}\\])+/g;

/** Reads the text form of a parse tree. Undefined for other text. */
export function parseNodeTree(text: string): TreeValue | undefined {
  const tokens = text.match(token) ?? [];
  let at = 0;

  function value(): TreeValue {
    const current = tokens[at++];
    if (current === '{') return node();
    if (current !== '(') return current ?? '<>';
    const items: TreeValue[] = [];
    while (at < tokens.length && tokens[at] !== ')') items.push(value());
    at += 1;
    return items;
  }

  function node(): TreeNode {
    const type = tokens[at++] ?? '';
    const fields = new Map<string, TreeValue>();
    while (at < tokens.length && tokens[at] !== '}') {
      const name = tokens[at++] ?? '';
      const values = [value()];
      // Bytes of a constant and bit sets have several tokens.
      while (at < tokens.length && tokens[at] !== '}' && tokens[at]?.startsWith(':') !== true) values.push(value());
      fields.set(name.slice(1), values.length === 1 ? (values[0] ?? '<>') : values);
    }
    at += 1;
    return { type, fields };
  }

  return tokens.length === 0 ? undefined : value();
}

/** A member of a node that is itself a node. */
export function nodeOf(node: TreeNode | undefined, name: string): TreeNode | undefined {
  return asNode(node?.fields.get(name));
}

/** The nodes of a member that is a list; none where it is null. */
export function nodesOf(node: TreeNode | undefined, name: string): readonly TreeNode[] {
  return nodesIn(node?.fields.get(name));
}

/** The nodes of a list. */
export const nodesIn = (value: TreeValue | undefined): readonly TreeNode[] =>
  isList(value) ? value.map(asNode).filter((each) => each !== undefined) : [];

/** A member that is a token. */
export function tokenOf(node: TreeNode | undefined, name: string): string {
  const member = node?.fields.get(name);
  return typeof member === 'string' ? member : '';
}

const isList = (value: TreeValue | undefined): value is readonly TreeValue[] => Array.isArray(value);

const asNode = (value: TreeValue | undefined): TreeNode | undefined =>
  value === undefined || typeof value === 'string' || isList(value) ? undefined : value;
