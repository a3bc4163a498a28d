/** A cursor from before its column has changed its type. */
export const misfitCursor = {
  message: 'The cursor has a value that its column cannot have.',
  hint: 'Start again without a cursor.',
} as const;
