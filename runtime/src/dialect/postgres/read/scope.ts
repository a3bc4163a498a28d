import type * as walk from '../../sql/words.js';
import type { Fragment } from '../sql.js';
import type { Types } from '../parameters/encode.js';

/** A member of a JSON object is an expression that `to_json` writes. */
export interface Postgres {
  readonly types: Types;
  readonly value: Fragment;
}

export type Belonging = walk.Belonging<Postgres>;
export type Compiler = walk.Compiler<Postgres>;
export type Entry = walk.Entry<Postgres>;
export type Scope = walk.Scope<Postgres>;
export type Source = walk.Source<Postgres>;
