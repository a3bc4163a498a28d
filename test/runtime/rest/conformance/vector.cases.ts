import type { Case } from './case.js';
import { envelopeOf } from '../support/client.js';

const near = (value: unknown): string => `embedding=vector.${encodeURIComponent(JSON.stringify(value))}`;

/**
 * Decision 011: points of a plane, `id` n at (n, 0), and 4 at (0, 4).
 */
export const vectorCases: readonly Case[] = [
  { rules: ['4.3 vector', '4.6 vector value'], path: `points?${near({ near: [3, 0] })}&select=id`, ids: [3, 2, 1, 4] },
  {
    rules: ['4.6 vector order', '4.6 vector select'],
    path: `points?${near({ near: [1, 0] })}&order=id.desc&select=id`,
    ids: [1, 2, 3, 4],
  },
  { rules: ['4.6 vector order'], path: `points?${near({ near: [1, 0], limit: 2 })}&limit=1&select=id`, ids: [1, 2] },
  { rules: ['4.6 vector order'], path: `points?${near({ near: [1, 0] })}&limit=1&select=id`, ids: [1] },
  { rules: ['4.6 vector where'], path: `points?${near({ near: [1, 0], limit: 2 })}&id=gt.1&select=id`, ids: [2, 3] },
  {
    rules: ['4.6 vector where'],
    path: `points?${near({ near: [1, 0], limit: 1 })}&or=(id.eq.3,id.eq.4)&select=id`,
    ids: [3],
  },
  {
    rules: ['4.6 vector distance'],
    path: `points?${near({ near: [0, 1], distance: 'COSINE', limit: 1 })}&select=id`,
    ids: [4],
  },
  {
    rules: ['4.6 vector distance'],
    path: `points?${near({ near: [1, 0], distance: 'IP' })}&select=id&id=lt.4`,
    ids: [3, 2, 1],
  },
  {
    rules: ['4.6 vector distance'],
    path: `points?${near({ near: [1, 0], distance: 'INNER_PRODUCT' })}&select=id&id=lt.4`,
    ids: [3, 2, 1],
  },
  {
    rules: ['4.6 vector distance'],
    path: `points?${near({ near: [2, 0], distance: 'EUCLIDEAN', limit: 1 })}&select=id`,
    ids: [2],
  },
  {
    rules: ['4.6 vector distance'],
    path: `points?${near({ near: [2, 0], distance: 'L2', limit: 1 })}&select=id`,
    ids: [2],
  },
  {
    rules: ['2.5 vector limit', '8 app.max-rows'],
    path: `points?${near({ near: [1, 0], limit: 1000 })}&select=id`,
    ids: [1, 2, 3, 4],
    check: (reply) => {
      expect(envelopeOf(reply).pagination.limit).toBe(30);
    },
  },
  {
    rules: ['4.6 vector select'],
    path: `points?${near({ near: [1, 0], limit: 1 })}`,
    rows: [{ id: 1, embedding: [1, 0] }],
  },
  ...[
    { near: [1] },
    { near: ['a', 'b'] },
    {},
    { near: [1, 2], distance: 'MANHATTAN' },
    { near: [1, 2], column: 'embedding' },
  ].map((value): Case => ({
    rules: ['4.6 vector value', '7.1 400'],
    path: `points?${near(value)}`,
    status: 400,
    error: {},
  })),
  { rules: ['4.6 vector value'], path: 'points?id=vector.%7B%22near%22:%5B1,2%5D%7D', status: 400, error: {} },
];
