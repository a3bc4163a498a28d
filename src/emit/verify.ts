import { TablewrightError } from '../errors.js';

/** What plain names and comments are made of. A file of nothing else is made of templates and words. */
const plain = /^[\n\x20-\x5b\x5d-\x5f\x61-\x7e]*$/;

/**
 * Parses generated files that hold more of the database than plain words, before anybody sees them: the last line of defence
 * where names and comments become part of a program. Files of the runtime are compiled and tested where they come from.
 * @throws TablewrightError INTERNAL with the first file that is not TypeScript
 */
export async function verifySyntax(files: ReadonlyMap<string, string>): Promise<void> {
  const unusual = [...files].filter(([path, text]) => path.endsWith('.ts') && !plain.test(text));
  if (unusual.length === 0) return;
  const { Project } = await import('ts-morph');
  const project = new Project({
    useInMemoryFileSystem: true,
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, noResolve: true, experimentalDecorators: true },
  });
  const sources = unusual.map(([path, text]) => ({ path, source: project.createSourceFile(path, text) }));
  const program = project.getProgram();
  for (const { path, source } of sources) {
    const [problem] = program.getSyntacticDiagnostics(source);
    if (problem === undefined) continue;
    throw new TablewrightError(
      'INTERNAL',
      `The generated file ${path} is not TypeScript, near line ${problem.getLineNumber()}.`,
      'This is a mistake of tablewright: please report it with the names in question. Leaving them out with exclude avoids it.',
    );
  }
}
