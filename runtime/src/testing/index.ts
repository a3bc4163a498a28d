/** What tests of a server are written with. */
export { buildGraphqlSchema } from '../schema/build-schema.js';
