/**
 * Bounds of a REST request, beside `app.limits.url-bytes`. Generous for people and programs that mean well; they keep the cost of
 * one request in proportion to its length.
 */
export const limits = {
  /** Parameters of a query string. */
  parameters: 200,
  /** Filters of a request, those inside `or` and `and` included. */
  filters: 500,
  /** Nesting of `or` and `and` groups, and of embedded tables. */
  depth: 32,
  /** Selected values, those of embedded tables included. */
  selections: 2000,
  /** Steps of a JSON path. */
  steps: 32,
  /** Elements of an `in` list. */
  elements: 5000,
} as const;
