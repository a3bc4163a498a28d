import { forgetShapes } from '../../runtime/dist/bounded-cache.js';

/** Loaded before a generated server, makes it one whose caches never hit. */
forgetShapes();
