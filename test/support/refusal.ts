import { TablewrightError } from '../../runtime/src/tablewright-error.js';

/** The error that the generator refuses something with; fails when it does not. */
export function refusalOf(work: () => unknown): TablewrightError {
  try {
    work();
  } catch (error) {
    if (error instanceof TablewrightError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
