import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildModel, type Names } from '../../../runtime/src/generator.js';
import { shuffled } from '../../support/catalog.js';
import { emit, renamedCase, runCase, schemaNames, writeOut, type Case } from '../../support/case.js';
import { expectFormatted, expectLiveSchema, expectPrintedSchema } from '../../support/generated-project.js';
import { recordTypes } from '../../support/typed-projects.js';

/**
 * Runs every case with the shortest names and with global identifiers. The project is complete for
 * all names of a database.
 */
const shortest: Names = { schemaPrefix: 'never', columns: 'camel', relations: 'simple' };

const names = await schemaNames();
const cases = new Map<string, Case>();

beforeAll(async () => {
  for (const name of names) {
    const each = renamedCase(await runCase(name), shortest);
    cases.set(name, each);
    await writeOut(each);
  }
});

afterAll(async () => {
  for (const { out } of cases.values()) await rm(join(out, '../..'), { recursive: true, force: true });
});

const caseOf = (name: string): Case => {
  const found = cases.get(name);
  if (found === undefined) throw new Error(`The case ${name} did not run.`);
  return found;
};

// In the case `hostile`, Prettier would remove quotes from names in database.ts, by rules of its
// own.
test.each(names.filter((name) => name !== 'hostile'))('case %s has Prettier’s form', async (name) => {
  await expectFormatted(caseOf(name));
});

describe.each(names)('case %s by the shortest names', (name) => {
  test('generates the same from a catalogue in another order', () => {
    const { catalog, model, files } = caseOf(name);
    for (const seed of [1, 2]) {
      const again = emit(catalog, buildModel(shuffled(catalog, seed), model.options));
      expect([...again]).toEqual([...files]);
    }
  });

  test('prints the schema that a server builds', async () => {
    await expectPrintedSchema(caseOf(name));
  });

  test('is served by a server that follows its database with the same schema and the same OpenAPI', () => {
    expectLiveSchema(caseOf(name));
  });

  test('describes its REST side in valid OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(caseOf(name).files.get('openapi.json') ?? '');
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('explains each name that is not the one of its rule, with the entry of `rename` that changes it', () => {
    const changed = caseOf(name).model.warnings.filter(({ code }) => code === 'NAME_CHANGED');
    for (const { message, hint } of changed) {
      expect(message).toMatch(/, because (the name it would have, \S+, is taken by .+|its name is taken)\.$/s);
      expect(hint).toMatch(/^Choose a name.*: rename: \{ '/s);
    }
  });
});

test('the types of what the cases generate are checked after the run', async () => {
  for (const { out } of cases.values()) await recordTypes(out);
});
