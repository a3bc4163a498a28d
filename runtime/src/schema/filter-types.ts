/**
 * TypeScript types of the values of filter inputs, by the kind of column: a resolver of the user's
 * code that takes a filter input gets such a value. Their operators are those of plan/operators.ts.
 */
type Operand<T> = T | null;

export interface NullFilter {
  readonly isNull?: Operand<boolean>;
  readonly isNotNull?: Operand<boolean>;
}

export interface CompositeFilter<T> extends NullFilter {
  readonly eq?: Operand<T>;
  readonly neq?: Operand<T>;
}

export interface EqualityFilter<T> extends CompositeFilter<T> {
  readonly in?: Operand<T[]>;
  readonly notIn?: Operand<T[]>;
  readonly isDistinctFrom?: Operand<T>;
}

export interface OrderFilter<T> extends EqualityFilter<T> {
  readonly gt?: Operand<T>;
  readonly gte?: Operand<T>;
  readonly lt?: Operand<T>;
  readonly lte?: Operand<T>;
  readonly between?: Operand<T[]>;
}

export interface TextFilter extends OrderFilter<string> {
  readonly like?: Operand<string>;
  readonly ilike?: Operand<string>;
  readonly contains?: Operand<string>;
  readonly startsWith?: Operand<string>;
  readonly endsWith?: Operand<string>;
  readonly icontains?: Operand<string>;
  readonly istartsWith?: Operand<string>;
  readonly iendsWith?: Operand<string>;
  readonly regex?: Operand<string>;
  readonly iregex?: Operand<string>;
}

export interface JsonFilter extends CompositeFilter<unknown> {
  readonly contains?: unknown;
  readonly containedBy?: unknown;
  readonly hasKey?: Operand<string>;
  readonly hasKeys?: Operand<string[]>;
  readonly hasAnyKeys?: Operand<string[]>;
  readonly path?: Operand<string>;
}

export interface ArrayFilter<T> extends CompositeFilter<Operand<T>[]> {
  readonly contains?: Operand<T[]>;
  readonly hasAll?: Operand<T[]>;
  readonly containedBy?: Operand<T[]>;
  readonly hasAny?: Operand<T[]>;
  readonly length?: Operand<OrderFilter<number>>;
}

export interface RangeFilter<Range, Bound> extends EqualityFilter<Range> {
  readonly contains?: Operand<Range>;
  readonly containsElement?: Operand<Bound>;
  readonly containedBy?: Operand<Range>;
  readonly overlaps?: Operand<Range>;
  readonly strictlyLeftOf?: Operand<Range>;
  readonly strictlyRightOf?: Operand<Range>;
  readonly notExtendsRightOf?: Operand<Range>;
  readonly notExtendsLeftOf?: Operand<Range>;
  readonly adjacentTo?: Operand<Range>;
}

type Search = string | { query: string; config?: string };

export interface SearchFilter {
  readonly search?: Operand<Search>;
  readonly webSearch?: Operand<Search>;
  readonly phraseSearch?: Operand<Search>;
  readonly rawSearch?: Operand<Search>;
}

/** A text that an index makes searchable. */
export interface SearchableTextFilter extends TextFilter, SearchFilter {}
