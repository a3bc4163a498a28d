import { Paces } from '../../../templates/runtime/session/drivers/pg/paces.js';

const ranEach = (paces: Paces, ...milliseconds: readonly number[]): void => {
  for (const each of milliseconds) paces.ran('x', each, false);
};
const times = (count: number, value: number): readonly number[] => Array.from({ length: count }, () => value);

test('of a statement that has not been run, nobody knows', () => {
  expect(new Paces().of('x')).toBeUndefined();
});

test('a run that had to wait says less than one that had not', () => {
  const paces = new Paces();
  ranEach(paces, ...times(20, 1), 50);
  expect(paces.of('x')).toBeLessThan(2);
  ranEach(paces, 1);
  expect(paces.of('x')).toBeLessThan(1.8);
});

test('a statement that takes long each time is known for it', () => {
  const paces = new Paces();
  ranEach(paces, ...times(20, 1), ...times(200, 20));
  expect(paces.of('x')).toBeGreaterThan(19);
});

test('the way to the database and back is not its time, but for runs that followed another', () => {
  const paces = new Paces();
  paces.answered(5);
  ranEach(paces, 5.5);
  expect(paces.of('x')).toBeCloseTo(0.5);
  paces.ran('y', 5.5, true);
  expect(paces.of('y')).toBeCloseTo(5.5);
  ranEach(paces, 1);
  expect(paces.of('x')).toBeGreaterThanOrEqual(0);
});

test('one that held up others is trusted again after a hundred runs', () => {
  const paces = new Paces();
  ranEach(paces, 1);
  paces.heldUp('x');
  expect(paces.of('x')).toBeUndefined();
  ranEach(paces, ...times(99, 1));
  expect(paces.of('x')).toBeUndefined();
  ranEach(paces, 1);
  expect(paces.of('x')).toBeCloseTo(1);
});

describe('answers that follow one another', () => {
  const followed = (paces: Paces, ...milliseconds: readonly number[]): void => {
    for (const each of milliseconds) paces.ran('x', each, true);
  };

  test('slowly each time are not worth waiting for: such statements run side by side, for a while', () => {
    const paces = new Paces();
    followed(paces, ...times(25, 0.7));
    expect(paces.of('x')).toBeUndefined();
    followed(paces, ...times(1000, 0.7));
    expect(paces.of('x')).toBeCloseTo(0.7);
  });

  test('slowly once, however long it was, say nothing of the others', () => {
    const paces = new Paces();
    followed(paces, ...times(25, 0.2), 500, ...times(5, 0.2), 500, 0.2);
    expect(paces.of('x')).toBeDefined();
  });
});
