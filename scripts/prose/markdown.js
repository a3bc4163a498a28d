import MarkdownIt from 'markdown-it';
import { problemsOf } from './rules.js';

const parser = new MarkdownIt({ html: true });

/** The problems of the paragraphs, headings, list items and cells: `{ line, words, advice }`. */
export function problemsOfMarkdown(markdown) {
  const found = [];
  let line = 1;
  let disabled = false;
  for (const token of parser.parse(markdown, {})) {
    if (token.map) line = token.map[0] + 1;
    if (token.type === 'html_block') disabled = token.content.includes('prose-disable-next-line');
    if (token.type !== 'inline') continue;
    if (!disabled) found.push(...problemsOf(textOf(token)).map((problem) => ({ line, ...problem })));
    disabled = false;
  }
  return found;
}

/** A code span counts as one word. */
const textOf = ({ children }) =>
  (children ?? [])
    .map(({ type, content }) =>
      type === 'text' ? content : type === 'code_inline' ? '0' : type.endsWith('break') ? ' ' : '',
    )
    .join('');
