import type { Catalog, CompositeType, EnumType } from '../catalog/catalog.js';
import { described } from './description.js';
import { nameMembers } from './fields.js';
import { folderName } from './files.js';
import { inputType, outputType } from '../schema/graphql-type.js';
import type { AttributeDescriptor } from '../descriptor/descriptor.js';
import type { CompositeModel, EnumModel } from './model.js';
import { compareText } from '../compare-text.js';
import { legalName, withSuffix } from './names.js';
import { memberNames, memberSuffixes, type NamingRules } from './naming-rules.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { TypeNames } from './type-names.js';
import { typeKey, type TypeResolver } from './types.js';

/** Enums that GraphQL can have: one without labels is read as text. */
export function servedEnums(catalog: Catalog, names: TypeNames): ReadonlyMap<string, string> {
  const served = new Set(catalog.enums.filter((each) => each.labels.length > 0).map(typeKey));
  return new Map([...names.enums].filter(([key]) => served.has(key)));
}

/** Composites that GraphQL can have: one without attributes is read as text. */
export function servedComposites(catalog: Catalog, names: TypeNames): ReadonlyMap<string, string> {
  const served = new Set(catalog.composites.filter((each) => each.attributes.length > 0).map(typeKey));
  return new Map([...names.composites].filter(([key]) => served.has(key)));
}

/** @throws TablewrightError NAME_COLLISION when two labels are renamed alike. */
export function buildEnums(catalog: Catalog, names: TypeNames, options: ModelOptions): readonly EnumModel[] {
  const served = servedEnums(catalog, names);
  return sorted(catalog.enums).flatMap((each) => {
    const type = served.get(typeKey(each));
    return type === undefined ? [] : [buildEnum(each, type, options)];
  });
}

/** @throws TablewrightError NAME_COLLISION when two attributes are renamed alike. */
export function buildComposites(
  catalog: Catalog,
  names: TypeNames,
  options: ModelOptions,
  resolve: TypeResolver,
): readonly CompositeModel[] {
  const served = servedComposites(catalog, names);
  return sorted(catalog.composites).flatMap((each) => {
    const type = served.get(typeKey(each));
    return type === undefined ? [] : [buildComposite(each, type, options, names.rules, resolve)];
  });
}

function buildEnum(each: EnumType, type: string, options: ModelOptions): EnumModel {
  const upper = options.enumOutput === 'upper';
  const rename = options.rename?.[typeKey(each)]?.values;
  const values = nameMembers(typeKey(each), each.labels, rename, (label, suffix) => [
    withSuffix(legalName(upper ? label.toUpperCase() : label), suffix),
  ]);
  return {
    descriptor: {
      type,
      schema: each.schema,
      name: each.name,
      values: each.labels.map((label, at) => {
        const name = values[at] ?? label;
        return name === label ? { label } : { label, name };
      }),
      ...described(each.comment),
    },
    folder: folderName(each.schema),
    values,
    comment: each.comment,
  };
}

/**
 * The model of a composite type, or of a similar type: a table's row, the columns of a
 * function's answer.
 */
export function buildComposite(
  each: CompositeType,
  type: string,
  options: ModelOptions,
  rules: NamingRules,
  resolve: TypeResolver,
): CompositeModel {
  const names = each.attributes.map((attribute) => attribute.name);
  const fields = nameMembers(
    typeKey(each),
    names,
    options.rename?.[typeKey(each)]?.columns,
    (name, suffix) => memberNames(name, rules, suffix),
    (name) => memberSuffixes(name, rules),
  );
  const types = each.attributes.map((attribute) => resolve(attribute.type));
  return {
    descriptor: {
      type,
      schema: each.schema,
      name: each.name,
      attributes: types.map((attributeType, at) => {
        const name = names[at] ?? '';
        const field = fields[at] ?? name;
        const text = described(each.attributes[at]?.comment ?? null);
        return { name, ...(field === name ? {} : { field }), type: attributeType, ...text };
      }),
      ...described(each.comment),
    },
    folder: folderName(each.schema),
    attributes: types.map((attributeType, at) => ({
      field: fields[at] ?? '',
      graphql: outputType(attributeType),
      input: inputType(attributeType),
      comment: each.attributes[at]?.comment ?? null,
    })),
    comment: each.comment,
  };
}

function sorted<T extends { readonly schema: string; readonly name: string }>(types: readonly T[]): readonly T[] {
  return [...types].sort((a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name));
}

/** The type with some of its attributes alone. */
export function withAttributes(model: CompositeModel, kept: readonly AttributeDescriptor[]): CompositeModel {
  const { descriptor, attributes } = model;
  if (kept.length === descriptor.attributes.length) return model;
  const names = new Set(kept.map(({ name }) => name));
  return {
    ...model,
    descriptor: { ...descriptor, attributes: kept },
    attributes: attributes.filter((_, at) => names.has(descriptor.attributes[at]?.name ?? '')),
  };
}
