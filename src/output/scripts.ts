import { z } from 'zod';
import { parseJson } from '../json.js';
import { canLint } from './dependencies.js';
import { likeWritten } from './like-written.js';

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** The package.json of a project's owner, with the scripts that it lacked. */
export interface CompletedScripts {
  readonly text: string;
  readonly added: readonly string[];
  /** Scripts of ours whose names the owner uses for commands of their own: those stay. */
  readonly taken: Readonly<Record<string, string>>;
}

/**
 * Adds the scripts of a new project's package.json to the owner's; `lint` only where it can run.
 * Undefined when the owner's cannot be read: npm reports that.
 */
export function completeScripts(own: string, template: string): CompletedScripts | undefined {
  const manifest = parse(own);
  if (manifest === undefined) return undefined;
  const present = manifest.scripts ?? {};
  const wanted = Object.entries(parse(template)?.scripts ?? {}).filter(([name]) => name !== 'lint' || canLint(own));
  const missing = wanted.filter(([name]) => !Object.hasOwn(present, name));
  const taken = wanted.filter(([name, command]) => Object.hasOwn(present, name) && present[name] !== command);
  // As it was parsed, not as the schema hands it back: that has keys in another order.
  const completed = { ...(JSON.parse(own) as object), scripts: { ...present, ...Object.fromEntries(missing) } };
  return {
    text: missing.length === 0 ? own : likeWritten(own, completed),
    added: missing.map(([name]) => name),
    taken: Object.fromEntries(taken),
  };
}

/**
 * How the owner of a project builds and starts the server: by their scripts where those are ours.
 */
export interface ProjectCommands {
  readonly build: string;
  readonly start: string;
}

export function projectCommands(own: string): ProjectCommands {
  const scripts = parse(own)?.scripts ?? {};
  return {
    build: scripts['build'] === 'tsc' ? 'npm run build' : 'npx tsc',
    start: scripts['start'] === 'node dist/main.js' ? 'npm start' : 'node dist/main.js',
  };
}

/** The owner's package.json with one more script; unchanged if it has a script of that name. */
export function withScript(own: string, name: string, command: string): string {
  const scripts = parse(own)?.scripts;
  if (scripts?.[name] !== undefined) return own;
  return likeWritten(own, { ...(JSON.parse(own) as object), scripts: { ...scripts, [name]: command } });
}

/** Whether the project's build is the compiler's work and nothing else. */
export function buildsByCompilerAlone(own: string): boolean {
  const scripts = parse(own)?.scripts ?? {};
  return scripts['build'] === 'tsc' && scripts['prebuild'] === undefined && scripts['postbuild'] === undefined;
}

const parse = (text: string): z.infer<typeof manifestSchema> | undefined =>
  manifestSchema.safeParse(parseJson(text)).data;
