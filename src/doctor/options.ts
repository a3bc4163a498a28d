import type { RuleCode } from './codes.js';

/** The key `doctor` of the configuration. */
export interface DoctorOptions {
  /**
   * Findings that are known and meant. They are counted, but neither shown nor part of the exit
   * code.
   */
  readonly ignore?: readonly Silence[];
}

export interface Silence {
  readonly rule: RuleCode;
  /**
   * Objects as the findings name them, with `*` for any text without a dot. Default: every object.
   */
  readonly objects?: readonly string[];
  /** For those who read the configuration. */
  readonly reason: string;
}
