/**
 * Limits of a REST request, in addition to `app.limits.url-bytes`. They are far above the needs of
 * honest clients, and keep the cost of a request in proportion to its length.
 */
export const limits = {
  /** Parameters of a query string. */
  parameters: 200,
  /** Filters of a request, including those inside `or` and `and`. */
  filters: 500,
  /** Nesting of `or` and `and` groups, and of embedded tables. */
  depth: 32,
  /** Selected values, including those of embedded tables. */
  selections: 2000,
  /** Steps of a JSON path. */
  steps: 32,
  /** Elements of an `in` list. */
  elements: 5000,
} as const;
