/// <reference lib="dom" />

/** The path that the server is below, by the place of this file: `/data`, or nothing. */
const base = new URL('../../..', import.meta.url).pathname.replace(/\/$/, '');

/** The address of a path of the server. */
export const addressOf = (path: string): string => base + path;
