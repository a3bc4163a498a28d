import { TablewrightError } from '../../runtime/src/tablewright-error.js';

/** The error with which the generator refuses the work; fails when there is none. */
export function refusalOf(work: () => unknown): TablewrightError {
  try {
    work();
  } catch (error) {
    if (error instanceof TablewrightError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
