export { joinAsParent } from './group.js';
export { joinAsWorker } from './led-process.js';
