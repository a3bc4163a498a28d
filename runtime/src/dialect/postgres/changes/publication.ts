/** The publication that a server streams. */
export const publication = 'tablewright';
