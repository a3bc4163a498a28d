import { TablewrightError } from '../errors.js';

/**
 * The characters of plain names and comments. Code that consists of these characters cannot be
 * malformed by a name.
 */
const plain = /^[\n\x20-\x5b\x5d-\x5f\x61-\x7e]*$/;

/**
 * Parses the generated files with other characters before they are written: the last protection
 * where names and comments become part of a program. Files of the runtime are compiled and tested
 * in their own package.
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
