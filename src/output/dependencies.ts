import { z } from 'zod';

const packages = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({ type: z.string().optional(), dependencies: packages, devDependencies: packages });

/** What the package.json of a project's owner lacks for the generated code to build and run. */
export interface MissingPackages {
  /** `name@range`, as `npm install` takes them. */
  readonly run: readonly string[];
  readonly build: readonly string[];
  /** Whether `"type": "module"` is missing. */
  readonly module: boolean;
}

/**
 * Compares the owner's package.json with the one a new project gets. A package that is there in any version is there: versions
 * are the owner's. Undefined when nothing is missing, or when the file cannot be read: npm will tell.
 */
export function missingPackages(own: string, template: string): MissingPackages | undefined {
  const present = parseManifest(own);
  const wanted = parseManifest(template);
  if (present === undefined || wanted === undefined) return undefined;
  const there = { ...present.dependencies, ...present.devDependencies };
  const absent = (from: Readonly<Record<string, string>>): string[] =>
    Object.entries(from)
      .filter(([name]) => !Object.hasOwn(there, name))
      .map(([name, range]) => (range.startsWith('file:') ? range.slice('file:'.length) : `${name}@${range}`));
  const missing = {
    run: absent(wanted.dependencies),
    build: absent(wanted.devDependencies),
    module: present.type !== 'module',
  };
  return missing.run.length + missing.build.length === 0 && !missing.module ? undefined : missing;
}

/** The commands that add what is missing. */
export function installCommands({ run, build, module }: MissingPackages): string {
  return [
    ...(module ? ['npm pkg set type=module'] : []),
    ...(run.length > 0 ? [`npm install ${run.join(' ')}`] : []),
    ...(build.length > 0 ? [`npm install --save-dev ${build.join(' ')}`] : []),
  ].join(' && ');
}

function parseManifest(text: string): z.infer<typeof manifestSchema> | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
