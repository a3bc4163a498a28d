import type { ModelOptions } from '../model/options.js';

/** What a server has to know to read and name a changed database as the generator would. Types of numbers are settings. */
export interface Naming extends Pick<
  ModelOptions,
  'rename' | 'exclude' | 'functions' | 'notNull' | 'keys' | 'relations' | 'enumOutput'
> {
  /** The schemas that were read; absent: every one that is not the system's. */
  readonly schemas?: readonly string[];
}
