import type { ConnectionOptions } from 'mysql2/promise';
import type { Settings } from '../../../settings/settings.js';
import { KEEP_ALIVE_MILLISECONDS } from '../../silence.js';
import { encryption } from '../catalog/connect.js';

/** The options of each connection: values are received as texts, with all their digits. */
export function clientOptions(address: string, settings: Settings): ConnectionOptions {
  const url = new URL(address);
  const username = settings['app.datasource.username'];
  const password = settings['app.datasource.password'];
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    user: username ?? decodeURIComponent(url.username),
    password: url.password === '' ? (password ?? '') : decodeURIComponent(url.password),
    ...(database === '' ? {} : { database }),
    ...encryption(url),
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MILLISECONDS,
    connectTimeout: settings['app.datasource.acquire-timeout-ms'],
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    multipleStatements: false,
    // With `trace` mysql2 captures a stack for each statement, in case it fails.
    trace: false,
    rowsAsArray: true,
    maxPreparedStatements: maxPrepared,
    connectAttributes: { program_name: 'tablewright' },
  };
}

/** Statements that a connection keeps prepared. The server allows 16,382 for all connections. */
const maxPrepared = 250;
