import { settingDefinitions, type SettingDefinition, type Settings } from '../../../runtime/src/settings/settings.js';
import type { Random } from '../../oracle/random.js';

/** Texts with what quotes, templates, comments and lines of generated code end with. */
const texts = ['plain', "it's", 'a "name"', '`${1}`', '*/ \\ //', 'two\nlines', '', 'Über\u2028'];

const valueOf: Readonly<Record<SettingDefinition['type'], (random: Random, definition: SettingDefinition) => unknown>> =
  {
    string: (random) => random.pick(texts),
    integer: (random, { minimum = 0 }) => minimum + random.pick([0, 1, 30_000, 2_147_483_647]),
    count: (random) => random.pick([1, 2, 64]),
    boolean: (random) => random.chance(50),
    list: (random) => random.some(texts, 30),
    choice: (random, { choices = [] }) => random.pick(choices),
    rates: (random) =>
      random.some(
        [
          { per: 'user', requests: 10, seconds: 1 },
          { per: 'address', requests: 1, seconds: 3600, operation: 'mutation "x"' },
        ],
        60,
      ),
  };

/** Some of the settings that are written into generated files, with random values. */
export function randomSettings(random: Random): Partial<Settings> {
  const chosen = Object.entries<SettingDefinition>(settingDefinitions).filter(
    ([, { secret }]) => secret !== true && random.chance(25),
  );
  return Object.fromEntries(chosen.map(([key, definition]) => [key, valueOf[definition.type](random, definition)]));
}
