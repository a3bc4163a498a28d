import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../harness/child.js';
import type { Peer, Target } from '../harness/target.js';
import { byHand, withCare } from '../by-hand/target.js';
import { ours } from '../targets/ours.js';

const folder = join(repository, 'bench', 'peers');

/**
 * The hand-written server, the generated server, and every folder of bench/peers that has a
 * peer.ts. With `names`, only the targets of these names; the name of a peer is that of its folder,
 * and other peers are not even loaded. Throws when no target has a given name.
 */
export async function chooseTargets(names: readonly string[] | undefined): Promise<readonly Target[]> {
  const own = [...byHand, ...withCare, ...ours];
  const folders = existsSync(folder) ? readdirSync(folder).sort() : [];
  const peers = folders.filter((name) => existsSync(fileOf(name)));
  const known = [...new Set(own.map(optionOf)), ...peers];
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no target ${unknown}; there are ${known.join(', ')}.`);
  const chosen = (name: string): boolean => names?.includes(name) ?? true;
  const targets = own.filter((target) => chosen(optionOf(target)));
  // Peers load one after the other: they share modules, and jiti does not wait for a module that it
  // imports twice at once.
  for (const peer of peers.filter(chosen)) targets.push(await load(peer));
  return targets;
}

/** The name of a target as an option: `by hand` is `by-hand`. */
const optionOf = ({ name }: Target): string => name.replaceAll(' ', '-');

const fileOf = (name: string): string => join(folder, name, 'peer.ts');

async function load(name: string): Promise<Peer> {
  const { peer } = (await import(pathToFileURL(fileOf(name)).href)) as { readonly peer: Peer };
  return peer;
}
