/** What generated files take from this room, from one place: at start, every import of every file costs time. */
export { aggregateTypes, type Figures } from './aggregate.js';
export {
  AggregateArguments,
  ConnectionArguments,
  CreateArguments,
  CreateManyArguments,
  DeleteArguments,
  ListArguments,
  NestedArguments,
  UpdateArguments,
} from './arguments.js';
export { readTypes } from './read.js';
export { createTypes, updateTypes } from './write.js';
