import MarkdownIt from 'markdown-it';
import { bareVariablesIn, problemsOf } from './rules.js';

const parser = new MarkdownIt({ html: true });

/**
 * The problems of the paragraphs, headings, list items and cells, and those of SQL in code: `{ line,
 * words, advice }`.
 */
export function problemsOfMarkdown(markdown) {
  const found = [];
  let line = 1;
  let disabled = false;
  for (const token of parser.parse(markdown, {})) {
    if (token.map) line = token.map[0] + 1;
    if (token.type === 'html_block') disabled = token.content.includes('prose-disable-next-line');
    if (token.type === 'fence' || token.type === 'code_block') {
      if (!disabled) found.push(...problemsOfSql(token.content, line + (token.type === 'fence' ? 1 : 0)));
      disabled = false;
    }
    if (token.type !== 'inline') continue;
    const problems = [...problemsOf(textOf(token)), ...codesOf(token).flatMap(bareVariablesIn)];
    if (!disabled) found.push(...problems.map(({ words, advice }) => ({ line, words, advice })));
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

const codesOf = ({ children }) =>
  (children ?? []).flatMap(({ type, content }) => (type === 'code_inline' ? [content] : []));

/** The problems of SQL whose first line has this number. */
export const problemsOfSql = (sql, first = 1) =>
  bareVariablesIn(sql).map(({ words, advice, at }) => ({
    line: first + sql.slice(0, at).split('\n').length - 1,
    words,
    advice,
  }));
