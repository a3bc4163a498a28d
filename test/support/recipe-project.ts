import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clients } from './client-packages.js';
import { guideBlocks, makeGuideFolder, type GuideFolder } from './guide-programs.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { succeed } from './program.js';
import { repository } from './transpile.js';

const text = await readFile(join(repository, 'docs/recipes.md'), 'utf8');

/** The part of docs/recipes.md with this heading, up to the next one. */
export function recipe(heading: string): string {
  const found = text.split(/^(?=##+ )/m).find((part) => new RegExp(`^##+ ${heading}\n`).test(part));
  if (found === undefined) throw new Error(`There is no section ${heading}.`);
  return found;
}

/** The file of the page with this name, as it is. */
export const recipeFile = (name: string): string => guideBlocks(text).find((block) => block.file === name)?.body ?? '';

/** An empty folder and a database, as a reader begins with. */
export class RecipeProject {
  private constructor(
    readonly database: TestDatabase,
    readonly guide: GuideFolder,
  ) {}

  static async make(database: TestDatabase): Promise<RecipeProject> {
    return new RecipeProject(database, await makeGuideFolder());
  }

  get folder(): string {
    return this.guide.folder;
  }

  /** Types in the files and the commands of a section. */
  async follow(part: string): Promise<void> {
    for (const { file: name, language, body } of guideBlocks(part)) {
      if (name !== undefined) {
        await mkdir(dirname(join(this.folder, name)), { recursive: true });
        await writeFile(join(this.folder, name), body);
      } else if (language === 'sh') await this.run(body);
    }
  }

  /**
   * dbmate demands TLS unless the address says otherwise.
   * @param environment more of the shell's environment
   */
  async run(commands: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { url } = this.database;
    return succeed('sh', ['-ec', commands], {
      cwd: this.folder,
      env: {
        ...this.guide.environment,
        PATH: `${join(clients, 'node_modules/.bin')}:${this.guide.environment['PATH'] ?? ''}`,
        // The configuration of drizzle-kit imports packages.
        NODE_PATH: join(clients, 'node_modules'),
        DATABASE_URL: url.startsWith('postgres') ? `${url}?sslmode=disable` : url,
        APP_SECURITY_ALLOW_SUPERUSER: 'true',
        ...environment,
      },
    });
  }

  async remove(): Promise<void> {
    await this.database.drop();
    await this.guide.remove();
  }
}

/** @param database default: an empty one */
export async function withProject(
  use: (project: RecipeProject) => Promise<void>,
  database?: TestDatabase,
): Promise<void> {
  const project = await RecipeProject.make(database ?? (await createTestDatabase('recipes')));
  try {
    await use(project);
  } finally {
    await project.remove();
  }
}
