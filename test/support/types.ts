export { int4 } from '../../runtime/src/dialect/postgres/types.js';
