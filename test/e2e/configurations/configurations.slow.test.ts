import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { buildModel, type ModelOptions } from '../../../runtime/src/generator.js';
import { TablewrightError } from '../../../runtime/src/tablewright-error.js';
import { Random } from '../../oracle/random.js';
import type { Settings } from '../../../runtime/src/settings/settings.js';
import { randomOptions } from './random-options.js';
import { randomSettings } from './random-settings.js';
import { emit, runCase, schemaNames, writeOut, type Case } from '../../support/case.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { tsc } from '../../support/program.js';
import { repository } from '../../support/transpile.js';

/**
 * Whether every configuration generates code that compiles under the strictest settings and passes
 * the strictest lint: random options and settings of the server, over the catalogues of the cases.
 * `SEED` repeats one run, `CONFIGURATIONS` makes more of them.
 */
const count = Number(process.env['CONFIGURATIONS'] ?? 16);
const firstSeed = Number(process.env['SEED'] ?? 45);

let folder: string;
const cases: Case[] = [];
const refused: string[] = [];
const made = new Map<string, { readonly options: ModelOptions; readonly settings: Partial<Settings> }>();

beforeAll(async () => {
  folder = await scratchFolder('configurations');
  for (const name of await schemaNames()) cases.push(await runCase(name));
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) await generateAt(seed);
});
afterAll(() => rm(folder, { recursive: true }));

async function generateAt(seed: number): Promise<void> {
  const random = new Random(seed);
  const { catalog, model } = random.pick(cases);
  const options = { ...model.options, ...randomOptions(random, catalog) };
  const settings = randomSettings(random);
  try {
    const files = emit(catalog, buildModel(catalog, options), settings);
    await writeOut({ files, out: join(folder, 'src', `seed${String(seed)}`) });
    made.set(`seed${String(seed)}`, { options, settings });
  } catch (error) {
    // A configuration that contradicts itself or the catalogue is refused with a reason.
    if (!(error instanceof TablewrightError)) throw new Error(`seed ${String(seed)} failed`, { cause: error });
    refused.push(error.message);
  }
}

/** With the configuration of the seeds that a report names. */
const explained = (report: string): string =>
  report +
  [...made]
    .filter(([seed]) => report.includes(`${seed}/`))
    .map(([seed, configuration]) => `\n${seed}: ${JSON.stringify(configuration)}`)
    .join('');

test('most are no contradiction', () => {
  expect({ isMost: made.size * 2 > count, refused }).toEqual({ isMost: true, refused: expect.anything() as unknown });
});

test('compile with the settings of the templates', async () => {
  const configuration = {
    extends: join(repository, 'templates/project/tsconfig.json'),
    compilerOptions: { noEmit: true, incremental: false, tsBuildInfoFile: null, rootDir: repository },
    include: ['src'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  const { code, stdout } = await tsc('-p', folder);
  expect({ code, report: explained(stdout) }).toEqual({ code: 0, report: '' });
});

test('pass the lint rules of the templates', async () => {
  await copyFile(join(repository, 'templates/project/eslint.config.js'), join(folder, 'eslint.config.js'));
  const eslint = new ESLint({ cwd: folder });
  const results = await eslint.lintFiles(['src']);
  expect(results.length).toBeGreaterThan(made.size);
  const report = results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, ruleId, message }) => `${filePath}:${String(line)} ${String(ruleId)}: ${message}`),
  );
  expect(explained(report.join('\n'))).toBe('');
});
