import type { ApiChange, DescribedModel } from './api-change.js';
import {
  about,
  breaking,
  comparePairs,
  harmless,
  objectOf,
  paired,
  sameType,
  type Found,
  type Known,
} from './compare-lists.js';

/**
 * The changes of enums for clients. A column that starts or stops using an enum has changed its
 * type, which is reported there.
 */
export function compareEnums(before: DescribedModel, after: DescribedModel): readonly ApiChange[] {
  return paired(before.enums, after.enums, ({ descriptor }) => objectOf(descriptor)).flatMap(([name, old, now]) => {
    if (old === undefined || now === undefined) return [];
    const values = comparePairs(old.values, now.values, (value) => value, {
      subject: (member) => ({ kind: 'enum', object: name, member }),
      removed: (value) => breaking('ENUM_VALUE_REMOVED', `${name} no longer has the value ${value}.`),
      added: (value) => harmless('ENUM_VALUE_ADDED', `${name} has the new value ${value}.`),
    });
    return [...about({ kind: 'enum', object: name }, compareTypeNames(name, old, now)), ...values];
  });
}

/** The changes of composite types for clients. */
export function compareComposites(before: DescribedModel, after: DescribedModel, known: Known): readonly ApiChange[] {
  const pairs = paired(before.composites, after.composites, ({ descriptor }) => objectOf(descriptor));
  return pairs.flatMap(([type, old, now]) => {
    if (old === undefined || now === undefined) return [];
    const members = comparePairs(
      old.descriptor.attributes,
      now.descriptor.attributes,
      ({ field, name }) => field ?? name,
      {
        subject: (member) => ({ kind: 'composite', object: type, member }),
        removed: (name) => breaking('ATTRIBUTE_REMOVED', `The attribute ${type}.${name} is gone.`),
        added: (name) => harmless('ATTRIBUTE_ADDED', `The attribute ${type}.${name} is new.`),
      },
      (name, was, is) =>
        sameType(was.type, is.type, known)
          ? []
          : [breaking('ATTRIBUTE_TYPE_CHANGED', `${type}.${name} has another type.`)],
    );
    return [...about({ kind: 'composite', object: type }, compareTypeNames(type, old, now)), ...members];
  });
}

interface Typed {
  readonly descriptor: { readonly type: string };
}

function compareTypeNames(name: string, { descriptor: old }: Typed, { descriptor: now }: Typed): readonly Found[] {
  if (old.type === now.type) return [];
  return [breaking('TYPE_RENAMED', `${name} was called ${old.type} in GraphQL and is now ${now.type}.`)];
}
