/** The scheme of a PostgreSQL in this process. */
export const inProcess = 'pglite:';
