/**
 * What servers of tests have in place of the default of 5 s: on a busy machine a new connection may
 * take longer. Suites about exhaustion set their own.
 */
export const patience = 60_000;
export const patientEnvironment: Readonly<Record<string, string>> = {
  APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: String(patience),
};
