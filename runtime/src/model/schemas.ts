import type { Catalog } from '../catalog/catalog.js';
import { folderName, identifier } from './files.js';
import type { SchemaModel } from './model.js';
import { compareText, fingerprintOf, lowerCamel } from './names.js';

/** The schemas that something is emitted for, each with a folder of its own. */
export function buildSchemas(
  catalog: Catalog,
  parts: readonly { readonly descriptor: { readonly schema: string }; readonly folder: string }[],
): readonly SchemaModel[] {
  const folders = new Map(parts.map((part) => [part.descriptor.schema, part.folder]));
  const comments = new Map(catalog.schemas.map((schema) => [schema.name, schema.comment]));
  const names = [...folders.keys()].sort(compareText);
  const preferredNames = names.map((name) => identifier(lowerCamel(name)));
  return names.map((name, at) => {
    const preferredName = preferredNames[at] ?? name;
    const shared = preferredNames.filter((other) => other === preferredName).length > 1;
    return {
      name,
      folder: folders.get(name) ?? folderName(name),
      identifier: shared ? `${preferredName}_${fingerprintOf(name, 6)}` : preferredName,
      comment: comments.get(name) ?? null,
    };
  });
}
