/** The pages that a server shows in browsers: the console, the explorer of REST, and GraphiQL. */
export { createConsole } from './console.js';
export { createGraphiql } from './graphiql.js';
