import type { Readable } from '../plan/context.js';

/** The cache entry of a request's shape differs between identities with different conditions. */
export const shapeFor = (shape: string, readable: Readable | undefined): string =>
  readable === undefined ? shape : `${shape}\0${readable.key}`;
