export { all as default } from './jest.config.js';
