/** What the page of GraphiQL imports: see runtime/src/http/graphiql.ts. */
// GraphiQL imports these two when it is drawn. Here they come with it, so that their styles do.
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
