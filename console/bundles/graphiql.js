/** The imports of GraphiQL's page: see console/src/graphiql.ts. */
// GraphiQL imports these two modules dynamically. Static imports add their styles to the page's.
import { editor } from 'monaco-graphql/esm/monaco-editor.js';
import 'monaco-graphql/esm/lite.js';
import 'graphiql/style.css';
import { keepLegible } from './accessible.js';

keepLegible(editor);

export { keepAccessible } from './accessible.js';
export { createGraphiQLFetcher } from '@graphiql/toolkit';
export { GraphiQL } from 'graphiql';
export { createElement } from 'react';
export { createRoot } from 'react-dom/client';
