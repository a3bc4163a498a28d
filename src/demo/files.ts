import { join } from 'node:path';
import { ownPackage } from '../package.js';

/** The path of a file in the package's `demo/` folder. */
export const demoFile = (name: string): string => join(ownPackage().folder, 'demo', name);
