import express, { Router } from 'express';
import type { CustomServer } from '@tablewright/runtime';
import type { Database } from '../generated/database.js';

/**
 * Your part of the server. `tablewright` writes this file once and never changes it. In the demo it
 * serves the board: public/board.html.
 */
export const custom: CustomServer<Database> = {
  resolvers: [],
  routes: [Router().use(express.static('public'))],
  hooks: {},
};
