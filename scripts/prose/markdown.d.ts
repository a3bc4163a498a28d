import type { Problem } from './rules.js';

/** The problems of paragraphs, headings, list items and cells. */
export function problemsOfMarkdown(markdown: string): readonly (Problem & { readonly line: number })[];
