import type { Reporter } from '../reporter.js';
import { printable } from './table.js';
import type { Terminal } from './terminal.js';

/**
 * Shows each stage with the time it took, where standard error is a terminal or `verbose` asks for it. Warnings are
 * shown always.
 */
export function createProgress(terminal: Terminal, verbose = false): Reporter {
  const { dim, green, yellow } = terminal.colors.err;
  const shown = terminal.watched || verbose;
  return {
    stage: async (title, work) => {
      terminal.flash(`  ${title} …`);
      const start = performance.now();
      const result = await work();
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      if (shown) terminal.tell(`${green('✔')} ${title} ${dim(`${seconds} s`)}`);
      return result;
    },
    warn: (message, hint) => {
      terminal.tell(`${yellow('warning')} ${printable(message)}`);
      terminal.tell(`        ${dim(printable(hint))}`);
    },
  };
}
