/** Something protected that has another name now, while names have changed their meaning. */
export interface Exchange {
  readonly message: string;
  /**
   * The names of tables by which statements of the served API could read it, or pass by a rule.
   */
  readonly withheld: readonly string[];
}
