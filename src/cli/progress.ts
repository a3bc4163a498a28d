import type { Reporter } from '../reporter.js';
import { printable } from './table.js';
import type { Terminal } from './terminal.js';

const maxNames = 3;

/**
 * Shows each stage with the time it took, where standard error is a terminal or `verbose` asks for
 * it. Warnings are shown always.
 */
export function createProgress(terminal: Terminal, verbose = false): Reporter {
  const { dim, green, yellow } = terminal.colors.err;
  const shown = terminal.watched || verbose;
  return {
    stage: async (title, work) => {
      const { count, end } = terminal.activity(title);
      const start = performance.now();
      try {
        const result = await work(count);
        end();
        const seconds = ((performance.now() - start) / 1000).toFixed(2);
        if (shown) terminal.note(`${green('✔')} ${title} ${dim(`${seconds} s`)}`);
        return result;
      } catch (error) {
        end();
        throw error;
      }
    },
    warn: (message, hint, names = []) => {
      terminal.note(`${yellow('warning')} ${printable(message)}`);
      for (const line of listed(names, verbose)) terminal.note(`        ${printable(line)}`);
      terminal.note(`        ${dim(printable(hint))}`);
    },
  };
}

/** A few names in a line, or each in its own. */
function listed(names: readonly string[], all: boolean): readonly string[] {
  if (all || names.length === 0) return names;
  const rest = names.length - maxNames;
  if (rest <= 0) return [names.join(', ')];
  return [`${names.slice(0, maxNames).join(', ')} and ${String(rest)} more (--verbose lists all)`];
}
