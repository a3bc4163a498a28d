import type { Catalog, ConstraintComment, DomainType, TypeRef } from '../catalog/catalog.js';
import type { ConstraintMessage } from '../descriptor/descriptor.js';
import type { ScopedTable } from './scope.js';
import { typeKey } from './types.js';

/**
 * The messages of broken constraints that have a comment: of the table itself, and of the
 * domains of its columns.
 */
export function constraintMessages(catalog: Catalog, { facts, columns }: ScopedTable): readonly ConstraintMessage[] {
  const domains = new Map<string, DomainType>();
  for (const { type } of columns) collectDomains(catalog, type, domains);
  return [
    ...facts.constraintComments.map((each) => messageOf(each)),
    ...[...domains].flatMap(([key, { constraintComments }]) => constraintComments.map((each) => messageOf(each, key))),
  ];
}

/** A domain may be over another one. */
function collectDomains(catalog: Catalog, type: TypeRef, found: Map<string, DomainType>): void {
  if (type.kind !== 'domain') return;
  const key = typeKey(type);
  const domain = catalog.domains.find((each) => typeKey(each) === key);
  if (domain === undefined || found.has(key)) return;
  found.set(key, domain);
  collectDomains(catalog, domain.base, found);
}

const messageOf = ({ constraint, comment }: ConstraintComment, domain?: string): ConstraintMessage => ({
  constraint,
  ...(domain === undefined ? {} : { domain }),
  message: comment,
});
