const { createHash } = require('node:crypto');

/** The name of the file with the source map of a module. */
exports.mapName = (url) => `${createHash('sha1').update(url).digest('hex')}.json`;
