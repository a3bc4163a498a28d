export { soak as default } from './jest.config.js';
