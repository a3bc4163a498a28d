/** An object of the database that has a new name. */
export interface Rename {
  readonly kind: 'table' | 'column' | 'relation' | 'enum' | 'enumValue';
  readonly from: Place;
  readonly to: Place;
  /**
   * Whether the catalogue shows it. A rename that is not certain is a proposal: the old object may
   * as well be gone.
   */
  readonly certain: boolean;
  /** What speaks for it. */
  readonly evidence: string;
}

/** A table or enum as `schema.name`, or its column, relation (as GraphQL calls it) or label. */
export interface Place {
  readonly object: string;
  readonly member?: string;
}

/** `kanban.issues.title` */
export const placeText = ({ object, member }: Place): string => (member === undefined ? object : `${object}.${member}`);
