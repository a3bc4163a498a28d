import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a Markdown file. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The files that a page shows: a line with only a path in backquotes, and a block after it. */
export function markdownFiles(path: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const files = text.matchAll(/^`([^`\n]+)`\n\n```\w*\n(.*?\n)```$/gms);
  return new Map([...files].map(([, name = '', body = '']) => [name, body]));
}

/**
 * The fenced blocks of a Markdown file of this repository, in order. With a heading, only those of
 * its section.
 */
export function markdownBlocks(path: string, heading?: string): readonly Block[] {
  const whole = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const text = heading === undefined ? whole : sectionOf(whole, heading);
  return [...text.matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }));
}

/** The section with this heading, up to the next one. */
export function sectionOf(text: string, heading: string): string {
  const found = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (found === undefined) throw new Error(`There is no section "${heading}".`);
  return found;
}
