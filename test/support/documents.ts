import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The fenced blocks of one language in a page of docs/, in order. */
export function blocksOf(page: string, language: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);
}
