import { TablewrightError } from '../errors.js';
import { systemCode } from '../system-error.js';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const refused = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * The error of a failed write. A TablewrightError is returned unchanged.
 * @param what the action, e.g. "write server/src/generated"
 */
export function outputError(error: unknown, what: string): TablewrightError {
  if (error instanceof TablewrightError) return error;
  const code = systemCode(error);
  if (code !== undefined && full.has(code)) {
    return new TablewrightError(
      'OUTPUT_DISK_FULL',
      `Could not ${what}: no space left on the disk (${code}).`,
      'Free disk space and run the command again. No file was changed.',
      { cause: error },
    );
  }
  if (code !== undefined && refused.has(code)) {
    return new TablewrightError(
      'OUTPUT_PERMISSION',
      `Could not ${what}: permission denied (${code}).`,
      'Give yourself write permission on the folder, or choose another one with --out. No file was changed.',
      { cause: error },
    );
  }
  if (code === 'ENOTDIR') {
    return new TablewrightError(
      'OUTPUT_FOREIGN',
      `Could not ${what}: it, or a folder above it, is a file.`,
      'Choose another folder with --out.',
      { cause: error },
    );
  }
  return new TablewrightError(
    'OUTPUT_FAILED',
    `Could not ${what}: ${code ?? 'unexpected error'}.`,
    'No file was changed. Run the command again with --verbose to see the cause.',
    { cause: error },
  );
}
