import { addEnvFiles } from './env-files.js';

// A separate module, to be imported first: later imports find the variables.
addEnvFiles(process.cwd(), process.env);
