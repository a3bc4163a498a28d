import semver from 'semver';
import { z } from 'zod';
import { parseJson } from '../json.js';
import { likeWritten } from './like-written.js';

const packages = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({
  type: z.string().optional(),
  scripts: packages,
  dependencies: packages,
  devDependencies: packages,
});

/** The server does without them: only a project that lints by our script needs them. */
const forLint = new Set(['eslint', 'typescript-eslint']);

/**
 * Whether typescript-eslint can read a project's TypeScript: version 7 has no interface for
 * programs, and npm refuses to install both.
 */
export function canLint(own: string): boolean {
  const spec = dependencyOf(own, 'typescript');
  if (spec === undefined) return true;
  // An alias ends with its range: npm:@typescript/typescript6@^6.0.0.
  const range = spec.slice(spec.lastIndexOf('@') + 1);
  return semver.validRange(range) !== null && semver.intersects(range, '<6.1.0');
}

/** The entries that generated code needs to build and run, and the owner's package.json lacks. */
export interface MissingPackages {
  /** `name@range`, as `npm install` takes them. */
  readonly run: readonly string[];
  readonly build: readonly string[];
  /** Whether `"type": "module"` is missing. */
  readonly module: boolean;
}

/**
 * Compares the owner's package.json with the one a new project gets. A package that is there in any
 * version is there: versions are the owner's. Undefined when nothing is missing, or when the file
 * cannot be read: npm reports that.
 */
export function missingPackages(own: string, template: string): MissingPackages | undefined {
  const present = parseManifest(own);
  const wanted = parseManifest(template);
  if (present === undefined || wanted === undefined) return undefined;
  const lints = present.scripts['lint'] === wanted.scripts['lint'] && canLint(own);
  const there = { ...present.dependencies, ...present.devDependencies };
  const absent = (from: Readonly<Record<string, string>>): string[] =>
    Object.entries(from)
      .filter(([name]) => !Object.hasOwn(there, name) && (lints || !forLint.has(name)))
      .map(([name, range]) => (range.startsWith('file:') ? range.slice('file:'.length) : `${name}@${range}`));
  const missing = {
    run: absent(wanted.dependencies),
    build: absent(wanted.devDependencies),
    module: present.type !== 'module',
  };
  return missing.run.length + missing.build.length === 0 && !missing.module ? undefined : missing;
}

/** A package that the owner's package.json names, in no version that the server is made for. */
export interface OtherVersion {
  readonly name: string;
  readonly own: string;
  readonly wanted: string;
}

/**
 * The packages of the running server whose ranges have no version in common with those of a new
 * project. A specification that is not a range, such as a tag or a folder, may be any version.
 */
export function otherVersions(own: string, template: string): readonly OtherVersion[] {
  const there = parseManifest(own);
  return Object.entries(parseManifest(template)?.dependencies ?? {}).flatMap(([name, wanted]) => {
    const present = there?.dependencies[name] ?? there?.devDependencies[name];
    if (present === undefined || semver.validRange(present) === null || semver.validRange(wanted) === null) return [];
    return semver.intersects(present, wanted) ? [] : [{ name, own: present, wanted }];
  });
}

/** The commands that add the missing packages. */
export function installCommands({ run, build, module }: MissingPackages): string {
  return [
    ...(module ? ['npm pkg set type=module'] : []),
    ...(run.length > 0 ? [`npm install ${run.join(' ')}`] : []),
    ...(build.length > 0 ? [`npm install --save-dev ${build.join(' ')}`] : []),
  ].join(' && ');
}

/**
 * The specification by which a package.json asks for a package; undefined where it does not, or
 * cannot be read.
 */
export function dependencyOf(own: string, name: string): string | undefined {
  const manifest = parseManifest(own);
  return manifest?.dependencies[name] ?? manifest?.devDependencies[name];
}

/**
 * The owner's package.json with a package more, or with another specification of it. Undefined when
 * it cannot be read: npm reports that.
 */
export function withDependency(own: string, name: string, spec: string): string | undefined {
  const manifest = parseManifest(own);
  if (manifest === undefined) return undefined;
  const { [name]: former, ...rest } = manifest.dependencies;
  if (former === spec) return own;
  const entries = Object.entries({ ...rest, [name]: spec }).sort(([a], [b]) => (a < b ? -1 : 1));
  // As it was parsed, not as the schema hands it back: that has keys in another order.
  return likeWritten(own, { ...(JSON.parse(own) as object), dependencies: Object.fromEntries(entries) });
}

/** Packages of a package.json that another one brings, types included, and that no text imports. */
export function noLongerNeeded(own: string, brought: readonly string[], texts: readonly string[]): readonly string[] {
  const manifest = parseManifest(own);
  const candidates = new Set([...brought, ...brought.map((name) => `@types/${name}`)]);
  const isImported = (name: string): boolean =>
    texts.some((text) =>
      [`'${name}'`, `"${name}"`, `'${name}/`, `"${name}/`].some((written) => text.includes(written)),
    );
  return Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies })
    .filter((name) => candidates.has(name) && !isImported(name.replace(/^@types\//, '')))
    .sort();
}

const parseManifest = (text: string): z.infer<typeof manifestSchema> | undefined =>
  manifestSchema.safeParse(parseJson(text)).data;
