/** Largest delay of a timer of Node.js, in ms: a larger one fires at once. */
export const longestTimer = 2 ** 31 - 1;
