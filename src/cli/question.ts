import { createInterface } from 'node:readline/promises';
import { interrupted } from '../interrupt.js';
import type { Session } from './session.js';

/** Asks one question. The answer is the typed text, without the spaces around it. */
export type Ask = (text: string, standard: string) => Promise<string>;

/**
 * Lets `conversation` ask questions on the terminal. Ctrl-C and the end of input are an
 * interruption.
 * @param left what an interruption leaves behind
 */
export async function converse<T>(
  session: Session,
  conversation: (ask: Ask) => Promise<T>,
  left = 'Nothing was written.',
): Promise<T> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
  };
  reader.once('SIGINT', end).once('close', end);
  const ask: Ask = async (text, standard) => {
    try {
      const signal = AbortSignal.any([session.signal, stop.signal]);
      return (await reader.question(`${text} (${standard}): `, { signal })).trim();
    } catch {
      throw interrupted(left);
    }
  };
  try {
    return await conversation(ask);
  } finally {
    reader.close();
  }
}
