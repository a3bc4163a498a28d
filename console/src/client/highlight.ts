/// <reference lib="dom" />
import { element, type Child } from './dom.js';

/** Longer answers are shown as they are: each token is an element of the page. */
const maxCharacters = 200_000;

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** JSON, indented and coloured. It is not parsed, so that numbers keep their digits. */
export function highlightJson(text: string): readonly Child[] {
  if (text.length > maxCharacters) return [text];
  const tokens = text.match(token) ?? [];
  const shown: Child[] = [];
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  tokens.forEach((each, at) => {
    const next = tokens[at + 1] ?? '';
    if (each === '{' || each === '[') {
      depth += 1;
      shown.push(each, next === '}' || next === ']' ? '' : line());
    } else if (each === '}' || each === ']') {
      depth -= 1;
      const before = tokens[at - 1];
      shown.push(before === '{' || before === '[' ? '' : line(), each);
    } else if (each === ',') shown.push(each, line());
    else if (each === ':') shown.push(': ');
    else shown.push(element('span', { class: next === ':' ? 'name' : each.startsWith('"') ? 'text' : 'plain' }, each));
  });
  return shown;
}
