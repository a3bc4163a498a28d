import { describe, expect, test } from '@jest/globals';
import { joinParts, partsOf, type Part } from '../../../runtime/src/drift/parts.js';
import { buildModel, type Model } from '../../../runtime/src/generator.js';
import { catalog, column, enumType, foreignKey, primaryKey, table, typeRef } from '../../support/catalog.js';

const tables = Array.from({ length: 25 }, (_, at) =>
  table(
    `s.t${String(at)}`,
    [column('id', 'int4'), column('mood', typeRef('s.mood', { kind: 'enum' })), column('other', 'int4')],
    {
      primaryKey: primaryKey('id'),
      foreignKeys: [foreignKey(`t${String(at)}_fkey`, ['other'], 's.t0', ['id'])],
    },
  ),
);
const model = buildModel(catalog({ tables, enums: [enumType('s.mood', ['good', 'bad'])] }), {
  exclude: ['s.nothing'],
});

/** As another thread receives it. */
function received(fingerprint: string, of: Model | undefined): ReturnType<typeof joined> {
  const changed = of === undefined ? undefined : { model: of, openapi: () => Promise.resolve(Buffer.of()) };
  return joined([...partsOf({ fingerprint, changed })].map((part) => structuredClone(part)));
}

function joined(parts: readonly Part[]) {
  const waiting = [...parts];
  const joining = joinParts(() => waiting.shift());
  let slices = 0;
  for (;;) {
    const step = joining.next();
    if (step.done === true) return { ...step.value, slices };
    slices += 1;
  }
}

describe('what is derived goes to another thread in parts', () => {
  test('and is the same there, with what tables and columns have in common', () => {
    const { fingerprint, model: there, slices } = received('f', model);
    expect(fingerprint).toBe('f');
    expect(there).toEqual(model);
    expect(slices).toBeGreaterThan(5);
    const [first] = there?.tables ?? [];
    expect(first?.columns[0]?.descriptor).toBe(first?.descriptor.columns[0]);
  });

  test('where nothing has changed, there is no model', () => {
    expect(received('f', undefined)).toEqual({ fingerprint: 'f', model: undefined, slices: 0 });
  });
});
