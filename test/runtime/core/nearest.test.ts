import { nearest } from '../../../runtime/src/nearest.js';

test.each([
  ['tilte', ['id', 'title'], 'title'],
  ['Title', ['title'], 'title'],
  ['storyPoints', ['story_points'], 'story_points'],
  ['titl', ['tile', 'title'], 'title'],
  ['tixe', ['time', 'tile'], 'time'],
  ['nonsense', ['id', 'title'], undefined],
  ['id', ['name', 'customer_id', 'parent_customer_id'], 'customer_id'],
  ['customerName', ['id', 'name'], 'name'],
  ['created', ['created_by', 'createdAt'], 'created_by'],
  ['first', ['customer_id'], undefined],
  ['', ['id'], undefined],
  ['x'.repeat(100_000), ['id', 'x'.repeat(63)], 'x'.repeat(63)],
])('%p among %p', (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected);
});
