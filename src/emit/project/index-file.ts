import type { EmitContext } from '../context.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { sharedDefinitions } from '../shared/files.js';
import { Imports, printFile } from '../source/file.js';
import { array, string } from '../source/typescript.js';

/** `index.ts`: what `createServer` is given. `fingerprint` is that of the catalogue. */
export function emitIndex({ model }: EmitContext, fingerprint: string): string {
  const imports = new Imports();
  imports.type('GeneratedServer', './runtime/server/generated.js');
  imports.value('mergeSchemas', './runtime/server/generated.js');
  imports.value('settings', './settings.js');
  // Tables find the filter inputs that they share by name.
  if (sharedDefinitions(model).has('filters')) imports.effect('./shared/filters.js');
  const schemas = model.schemas.map((schema) => imports.value(schema.identifier, `./${schema.folder}/index.js`));
  const entries: readonly Doc[] = [
    ['...mergeSchemas(', array(schemas), ')'],
    'settings',
    "openapi: new URL('../../src/generated/openapi.json', import.meta.url)",
    ['fingerprint: ', string(fingerprint)],
  ];
  return printFile('the database', imports, [
    [
      'export const generated: GeneratedServer = {',
      indent(entries.map((entry) => [hardline, entry, ','])),
      hardline,
      '};',
    ],
  ]);
}
