import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../harness/child.js';
import type { Peer, Target } from '../harness/target.js';
import { byHand } from '../by-hand/target.js';
import { ours } from '../targets/ours.js';

const folder = join(repository, 'bench', 'peers');

/**
 * The server by hand, the generated server, and every folder of bench/peers that has a peer.ts; only those of the names where some are given, a
 * peer's being that of its folder. The software of others is not even loaded otherwise. Throws when a name is no target's.
 */
export async function chooseTargets(names: readonly string[] | undefined): Promise<readonly Target[]> {
  const own = [...byHand, ...ours];
  const folders = existsSync(folder) ? readdirSync(folder).sort() : [];
  const peers = folders.filter((name) => existsSync(fileOf(name)));
  const known = [...new Set(own.map(optionOf)), ...peers];
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no target ${unknown}; there are ${known.join(', ')}.`);
  const chosen = (name: string): boolean => names?.includes(name) ?? true;
  const targets = own.filter((target) => chosen(optionOf(target)));
  // One after the other: they share modules, which jiti does not wait for when two import them at a time.
  for (const peer of peers.filter(chosen)) targets.push(await load(peer));
  return targets;
}

/** A name as an option: `by hand` is `by-hand`. */
const optionOf = ({ name }: Target): string => name.replaceAll(' ', '-');

const fileOf = (name: string): string => join(folder, name, 'peer.ts');

async function load(name: string): Promise<Peer> {
  const { peer } = (await import(pathToFileURL(fileOf(name)).href)) as { readonly peer: Peer };
  return peer;
}
