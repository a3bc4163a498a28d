import { join } from 'node:path';
import base from '../../../jest.config.js';
import { root, suitesOn } from './suites.js';

/** Started by main.js, which has asked the server. */
const { run } = suitesOn(process.env['TEST_MYSQL_FLAVOUR'] !== 'MySQL');

export default {
  ...base,
  rootDir: root,
  testMatch: run.map((suite) => join(root, suite)),
  testPathIgnorePatterns: ['/node_modules/', '/out/'],
  reporters: ['default', join(import.meta.dirname, 'reporter.js')],
};
