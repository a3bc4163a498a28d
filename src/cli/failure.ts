import { CommanderError } from 'commander';
import { TablewrightError } from '../errors.js';
import { exitCodes } from './exit-codes.js';
import { printable } from './table.js';
import type { Terminal } from './terminal.js';

/**
 * How an error is reported: as text on standard error, or, where JSON is expected, as a document on
 * standard output.
 */
export interface FailureOptions {
  readonly json: boolean;
  /** Shows the stack and the cause. */
  readonly verbose: boolean;
}

/**
 * Reports the error and returns the exit code. Code, message and hint; never a stack unless asked
 * for.
 */
export function reportFailure(error: unknown, terminal: Terminal, { json, verbose }: FailureOptions): number {
  const failure = toTablewrightError(error);
  const { code, message, hint } = failure;
  if (json) terminal.print(JSON.stringify({ error: { code, message, hint } }, undefined, 2));
  else {
    const { bold, dim, red } = terminal.colors.err;
    terminal.note(`${red(bold('error'))} ${bold(code)} ${printable(message)}`);
    for (const line of hint.split('\n')) terminal.note(`      ${dim(printable(line))}`);
  }
  if (verbose) {
    for (let each: unknown = failure; each instanceof Error; each = each.cause) {
      terminal.note(each.stack ?? String(each));
    }
  }
  return code === 'INTERRUPTED' ? exitCodes.interrupted : exitCodes.error;
}

function toTablewrightError(error: unknown): TablewrightError {
  if (error instanceof TablewrightError) return error;
  if (error instanceof CommanderError) {
    const [message = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n');
    const hint = suggestion.join(' ').replace(/^\(|\)$/g, '');
    return new TablewrightError(
      'USAGE',
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.'),
      hint === '' ? 'Add --help to see the accepted flags.' : hint,
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new TablewrightError(
    'INTERNAL',
    `Something unexpected happened: ${message.split('\n')[0] ?? ''}`,
    'Run the command again with --verbose, and report its output as a bug.',
    { cause: error },
  );
}
