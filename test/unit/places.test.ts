import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm, mkdtemp } from 'node:fs/promises';
import { leavePlace, takePlace } from '../support/places/place.js';
import { openPlaces, type Places } from '../support/places/server.js';

/** Suites that start processes wait for a place: see test/support/places. */

let folder: string;
let path: string;
let places: Places;
const before = process.env['TEST_PLACES'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'places-'));
  path = join(folder, 'socket');
  places = await openPlaces(path, 2);
  process.env['TEST_PLACES'] = path;
});
afterEach(async () => {
  await leavePlace();
  places.close();
  await rm(folder, { recursive: true });
  if (before === undefined) Reflect.deleteProperty(process.env, 'TEST_PLACES');
  else process.env['TEST_PLACES'] = before;
});

/** The order in which other processes get their places. */
const served: string[] = [];
const ask = async (name: string): Promise<Socket> => {
  const socket = connect(path);
  await once(socket, 'connect');
  socket.once('data', () => served.push(name));
  return socket;
};

const until = async (length: number): Promise<void> => {
  while (served.length < length) await new Promise(setImmediate);
};

test('the next one waits until a place is free, in the order of asking', async () => {
  const [one, two, three, four] = [await ask('one'), await ask('two'), await ask('three'), await ask('four')];
  await until(2);
  expect(served).toEqual(['one', 'two']);
  one.destroy();
  await until(3);
  // One that goes while it waits is passed over.
  four.destroy();
  await once(four, 'close');
  const five = await ask('five');
  two.destroy();
  await until(4);
  expect(served.splice(0)).toEqual(['one', 'two', 'three', 'five']);
  for (const each of [three, five]) each.destroy();
});

test('a suite has one place, however often it asks, and leaves it at its end', async () => {
  await Promise.all([takePlace(), takePlace()]);
  await takePlace();
  const one = await ask('one');
  const two = await ask('two');
  await until(1);
  await leavePlace();
  await until(2);
  expect(served.splice(0)).toEqual(['one', 'two']);
  for (const each of [one, two]) each.destroy();
});

test('without a run nothing waits', async () => {
  Reflect.deleteProperty(process.env, 'TEST_PLACES');
  const [one, two] = [await ask('one'), await ask('two')];
  await until(2);
  await takePlace();
  expect(served.splice(0)).toEqual(['one', 'two']);
  for (const each of [one, two]) each.destroy();
});
