import { readEnvFiles } from './env-files.js';

// A separate module, to be imported first: later imports find the variables.
Object.assign(process.env, readEnvFiles(process.cwd(), process.env));
