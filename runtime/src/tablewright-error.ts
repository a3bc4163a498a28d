/**
 * Stable codes of everything that can go wrong on the generate side. Documented in docs/errors.md.
 */
export type ErrorCode =
  | 'DATABASE_UNREACHABLE'
  | 'DATABASE_AUTHENTICATION'
  | 'DATABASE_UNKNOWN'
  | 'DATABASE_UNSUPPORTED'
  | 'DATABASE_QUERY'
  | 'SCHEMA_UNKNOWN'
  | 'CATALOG_HIDDEN'
  | 'NOTHING_TO_GENERATE'
  | 'CONFIG_UNKNOWN_KEY'
  | 'CONFIG_INVALID'
  | 'CONFIG_UNREADABLE'
  | 'NAME_COLLISION'
  | 'OUTPUT_FOREIGN'
  | 'OUTPUT_EDITED'
  | 'OUTPUT_PERMISSION'
  | 'OUTPUT_DISK_FULL'
  | 'OUTPUT_LOCKED'
  | 'OUTPUT_FAILED'
  | 'USAGE'
  | 'INTERRUPTED'
  | 'INTERNAL';

/**
 * The one error class of the generator: a stable code, a message a newcomer understands, a hint
 * that says what to do, and the cause. The command line prints code, message and hint, never the
 * stack. No part may hold a password.
 */
export class TablewrightError extends Error {
  override readonly name = 'TablewrightError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
