import type { Catalog } from '../catalog/catalog.js';
import { folderName, identifier } from './files.js';
import type { SchemaModel } from './model.js';
import { compareText } from '../compare-text.js';
import { fingerprintOf, lowerCamel } from './names.js';

interface Part {
  readonly descriptor: { readonly schema: string; readonly field?: string; readonly type?: string };
  readonly folder: string;
}

/** The schemas that something is emitted for, each with a folder of its own. */
export function buildSchemas(catalog: Catalog, parts: readonly Part[]): readonly SchemaModel[] {
  const folders = new Map(parts.map((part) => [part.descriptor.schema, part.folder]));
  const comments = new Map(catalog.schemas.map((schema) => [schema.name, schema.comment]));
  const names = [...folders.keys()].sort(compareText);
  const preferredNames = names.map((name) => {
    const own = identifier(lowerCamel(name));
    // A table that is called as its schema, where names have no schema in front, is a constant of
    // the same file.
    return parts.some((part) => part.descriptor.schema === name && constantsOf(part).includes(own))
      ? `${own}Schema`
      : own;
  });
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

/** The import of a table in the schema's index. */
const constantsOf = ({ descriptor: { field, type } }: Part): readonly string[] =>
  field === undefined || type === undefined ? [] : [field, `${field}Routes`, `${type}Resolver`];
