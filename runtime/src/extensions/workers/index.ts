export { joinAsParent } from '../../server/workers/group.js';
export { joinAsWorker } from '../../server/workers/led-process.js';
