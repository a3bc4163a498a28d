// Prints the problems that linters find in the documents of standard input, a JSON object of texts
// by name: Redocly's recommended-strict and Spectral's rules for OpenAPI.
import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

const documents = JSON.parse(await text(process.stdin));
const config = await createConfig({ extends: ['recommended-strict'] });
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] });

// Redocly calls `properties.hasOwnProperty(…)`, and Spectral assigns to `__proto__`: neither can
// read columns of these names.
const readable = (source) => source.replaceAll(/"(__proto__|hasOwnProperty)"/g, '"of_$1"');

// Spectral decodes the percent-encoded paths of operations when it resolves their references, and
// then does not find the operation.
const plain = (source) => source.replaceAll(/^ {4}"\/[^"]*%[^"]*": \{$/gm, (key) => key.replaceAll('%', '.'));

const found = [];
for (const [name, written] of Object.entries(documents)) {
  const source = readable(written);
  for (const { ruleId, message, location } of await lintFromString({ source, absoluteRef: `${name}.json`, config }))
    found.push({ name, rule: `redocly ${ruleId}`, message, at: location[0]?.pointer ?? '' });
  for (const { code, message, path } of await spectral.run(plain(source)))
    found.push({ name, rule: `spectral ${code}`, message, at: path.join('/') });
}
console.log(JSON.stringify(found));
