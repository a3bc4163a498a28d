import { nearest } from '../../../templates/runtime/nearest.js';

test.each([
  ['tilte', ['id', 'title'], 'title'],
  ['Title', ['title'], 'title'],
  ['storyPoints', ['story_points'], 'story_points'],
  ['titl', ['tile', 'title'], 'title'],
  ['tixe', ['time', 'tile'], 'time'],
  ['nonsense', ['id', 'title'], undefined],
  ['', ['id'], undefined],
  ['x'.repeat(100_000), ['id', 'x'.repeat(63)], 'x'.repeat(63)],
])('%p among %p', (name, candidates, expected) => {
  expect(nearest(name, candidates)).toBe(expected);
});
