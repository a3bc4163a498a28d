import { limitBucket } from '../../../plan/limit-bucket.js';
import { limits } from './limits.js';
import { limitExceeded } from './malformed.js';

/** A `limit` or an `offset`. */
export interface CountToken {
  /** The number of its input. */
  readonly input: number;
  /** Its order of magnitude, which is part of the shape. */
  readonly most: number;
}

/**
 * Collects the shape and the values of a request while it is parsed. Requests of one shape differ
 * in values only, and share a statement. `\0` separates the parts of a shape: no decoded text
 * contains it, so that different structures have different shapes.
 */
export class ShapeBuilder {
  shape: string;
  readonly inputs: unknown[] = [];
  private filters = 0;

  constructor(shape: string) {
    this.shape = shape;
  }

  /** Adds a part of the structure. */
  structure(part: string): void {
    this.shape += `\0${part}`;
  }

  /**
   * Adds a list of names. Their number says where the list ends: a column may be called like any
   * other part of a shape.
   */
  names(part: string, names: readonly string[]): void {
    this.structure(`${part} ${String(names.length)}\0${names.join('\0')}`);
  }

  /** Adds a value; returns the number of the input that holds it. */
  input(value: unknown): number {
    return this.inputs.push(value) - 1;
  }

  /** Adds a count of rows as a value, and its order of magnitude to the structure. */
  count(count: number): CountToken {
    const most = limitBucket(count);
    this.structure(String(most));
    return { input: this.input(count), most };
  }

  /** Counts filters. Throws ServerError 400 if there are too many. */
  countFilter(parameter: string, count = 1): void {
    this.filters += count;
    if (this.filters <= limits.filters) return;
    throw limitExceeded(
      `There are more than ${String(limits.filters)} filters, counted up to parameter "${parameter}".`,
    );
  }
}
