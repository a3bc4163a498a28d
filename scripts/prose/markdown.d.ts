import type { Problem } from './rules.js';

/** The problems of paragraphs, headings, list items and cells. */
export function problemsOfMarkdown(markdown: string): readonly (Problem & { readonly line: number })[];

/** The problems of SQL whose first line has this number. */
export function problemsOfSql(sql: string, first?: number): readonly (Problem & { readonly line: number })[];
