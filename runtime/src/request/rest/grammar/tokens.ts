import type { VectorOrder } from '../../../plan/intent.js';
import type { LogicCondition } from './logic.js';
import type { CountToken } from './shape-builder.js';

/**
 * The parameters of a read, with input numbers in place of the values, before any look-up. A scope
 * is one table of the request: the table in the path, or an embedded table.
 */
export interface Scope {
  readonly conditions: LogicCondition[];
  order?: string;
  limit?: CountToken | undefined;
  offset?: CountToken | undefined;
  vector?: VectorToken;
  /** Arguments of computed fields; absent: none. */
  arguments?: ArgumentToken[];
  /** Embedded tables, by alias or name. A Map, because a table may be called `constructor`. */
  readonly embedded: Map<string, Scope>;
}

/** `field(argument)=value` */
export interface ArgumentToken {
  readonly field: string;
  readonly argument: string;
  /** The number of its input. */
  readonly input: number;
}

export interface VectorToken {
  readonly column: string;
  /** The number of its input. */
  readonly near: number;
  readonly distance: VectorOrder['distance'];
  readonly limit?: CountToken;
}

export interface Tokens {
  readonly select: string | undefined;
  readonly root: Scope;
}

export const emptyScope = (): Scope => ({ conditions: [], embedded: new Map() });
