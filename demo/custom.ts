import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';
import type { CustomServer } from '@tablewright/runtime';
import type { Database } from '../generated/database.js';

/** The client of the board, as its package has it. A project with a bundler imports it instead. */
const client = dirname(fileURLToPath(import.meta.resolve('graphql-ws/client')));

/**
 * Your part of the server. `tablewright` writes this file once and never changes it. In the demo it
 * serves the board: public/board.html.
 */
export const custom: CustomServer<Database> = {
  resolvers: [],
  routes: [Router().use('/graphql-ws', express.static(client)).use(express.static('public'))],
  hooks: {},
};
