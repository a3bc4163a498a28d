import type { VectorOrder } from '../../plan/intent.js';
import type { Condition } from './logic.js';

/**
 * What the parameters of a read say, with the values taken out: numbers of inputs stand in their places. Nothing is looked up yet.
 * A scope is a table of the request: the one in the path, or an embedded one.
 */
export interface Scope {
  readonly conditions: Condition[];
  order?: string;
  limit?: CountToken;
  offset?: CountToken;
  vector?: VectorToken;
  /** What computed fields are given; absent: nothing. */
  arguments?: ArgumentToken[];
  /** Embedded tables, by alias or name. A Map: one may be called `constructor`. */
  readonly embedded: Map<string, Scope>;
}

/** `field(argument)=value` */
export interface ArgumentToken {
  readonly field: string;
  readonly argument: string;
  /** The number of its input. */
  readonly input: number;
}

/** A `limit` or an `offset`. */
export interface CountToken {
  /** The number of its input. */
  readonly input: number;
  /** Its order of magnitude, which the shape has. */
  readonly most: number;
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
