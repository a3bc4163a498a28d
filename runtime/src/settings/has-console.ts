import type { Settings } from './settings.js';

/** Whether a server has a console: in development, unless its settings say otherwise. */
export const hasConsole = (settings: Settings): boolean =>
  settings['app.console'] ?? !settings['app.server.production'];
