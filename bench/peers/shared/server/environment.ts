/** The settings that the harness gives a peer's server. Throws when a setting is missing. */
export const environment = {
  databaseUrl: required('DATABASE_URL'),
  publicKey: required('JWT_PUBLIC_KEY'),
  poolSize: Number(required('POOL_SIZE')),
  port: Number(required('PORT')),
  host: required('HOST'),
};

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: this server is started by the benchmark.`);
  return value;
}
