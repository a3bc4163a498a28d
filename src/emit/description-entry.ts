import { string, type Entry } from './source/typescript.js';

/** What GraphQL says of a table, a column, a type or a routine. */
export const descriptionEntry = ({ description }: { readonly description?: string }): readonly Entry[] =>
  description === undefined ? [] : [['description', string(description)]];
