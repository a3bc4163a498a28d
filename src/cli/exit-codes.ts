/** Exit codes of the process. docs/cli.md and every command's help list them. */
export const exitCodes = {
  /** Done; for `check` and `diff`: nothing differs. */
  success: 0,
  error: 1,
  /** `check` and `diff`: the generated files differ from the files that would be written. */
  differences: 2,
  /** `doctor`: there are findings as severe as `--fail-on`. */
  findings: 2,
  /** `check` and `diff`: they differ, and clients of the API may break. */
  breaking: 3,
  /** 128 + SIGINT, as shells count. */
  interrupted: 130,
} as const;
