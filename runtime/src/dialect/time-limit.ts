import type { Settings } from '../settings/settings.js';

/** Milliseconds that each statement of a run may take; 0: no limit. */
export const timeoutOf = (settings: Settings, isRead: boolean): number =>
  (isRead ? undefined : settings['app.datasource.write-timeout-ms']) ?? settings['app.datasource.statement-timeout-ms'];
