import { misconfigured } from '../../../errors.js';

/** The driver's package. Projects with another database do not install it. */
export async function load(): Promise<typeof import('mysql2/promise')> {
  try {
    return await import('mysql2/promise');
  } catch (cause) {
    throw misconfigured(
      'The package mysql2, the driver of MariaDB, is not installed.',
      'Install it in the project: npm install mysql2',
      cause,
    );
  }
}
