import { isRaised, raised } from '../failures/raised.js';

const name = 'tablewright_other_key';

/**
 * A row of a unique index that is not the key of an upsert has been met: the statement fails as an
 * insert would, and changes nothing.
 */
export const otherKeyError = raised(name);

export const isOtherKeyError = (number: number, message: string): boolean => isRaised(name, number, message);
