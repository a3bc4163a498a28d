/** An upsert names columns that are no unique key: 42P10. */
export const missingKey = {
  message: 'There is no unique key on these columns.',
  hint: 'Name the columns of a primary key or of a unique constraint or index.',
} as const;
