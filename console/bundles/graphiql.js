/** The imports of GraphiQL's page: see console/src/graphiql.ts. */
import './strict-styles.js';
// GraphiQL imports these two modules dynamically. Static imports add their styles to the page's.
import { editor } from 'monaco-graphql/esm/monaco-editor.js';
import 'monaco-graphql/esm/lite.js';
import 'graphiql/style.css';
import '@graphiql/plugin-explorer/style.css';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN } from 'graphiql';
import { keepLegible } from './accessible.js';

keepLegible(editor);

export const plugins = [explorerPlugin(), HISTORY_PLUGIN];

/** The documentation lists types in the order of the schema's map: by name they are found faster. */
export function sortTypes(schema) {
  const types = schema.getTypeMap();
  for (const [name, type] of Object.entries(types).sort(([one], [other]) => one.localeCompare(other, 'en'))) {
    delete types[name];
    types[name] = type;
  }
}

export { keepAccessible } from './accessible.js';
export { createGraphiQLFetcher } from '@graphiql/toolkit';
export { GraphiQL } from 'graphiql';
export { createElement } from 'react';
export { createRoot } from 'react-dom/client';
