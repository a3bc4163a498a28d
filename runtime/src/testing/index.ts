/** What tests of a server are written with. */
export { buildGraphqlSchema } from './graphql-schema.js';
