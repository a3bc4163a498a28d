import { readEnvFiles } from './env-files.js';

// A module of its own, to be imported first: what is imported after it finds the variables.
Object.assign(process.env, readEnvFiles(process.cwd(), process.env));
