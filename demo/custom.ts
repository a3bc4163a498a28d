import express, { Router } from 'express';
import type { CustomServer } from '@tablewright/runtime';
import type { Database } from '../generated/database.js';

/** Your part of the server. This file is never written again. Here it serves the demo's board: public/board.html. */
export const custom: CustomServer<Database> = {
  resolvers: [],
  routes: [Router().use(express.static('public'))],
  hooks: {},
};
