import { serverVersion } from '../../../../runtime/src/dialect/mysql/catalog/version.js';

describe('serverVersion', () => {
  it.each([
    ['10.11.19-MariaDB-0+deb12u1', 'mariadb', 101_119],
    ['11.4.2-MariaDB', 'mariadb', 110_402],
    ['5.5.5-10.11.6-MariaDB-log', 'mariadb', 101_106],
    ['8.0.19', 'mysql', 80_019],
    ['8.4.2-commercial', 'mysql', 80_402],
    ['9.1.0', 'mysql', 90_100],
  ])('reads %s', (text, flavour, number) => {
    expect(serverVersion(text)).toEqual({ flavour, number });
  });

  it.each([
    ['10.6.18-MariaDB', 'The database server is MariaDB 10.6.18; 10.11 or later is needed.'],
    ['5.7.44-log', 'The database server is MySQL 5.7.44; 8.0.19 or later is needed.'],
    ['8.0.18', 'The database server is MySQL 8.0.18; 8.0.19 or later is needed.'],
    ['8.0.11-TiDB-v7.5.0', 'The database server is MySQL 8.0.11; 8.0.19 or later is needed.'],
  ])('refuses %s', (text, message) => {
    expect(() => serverVersion(text)).toThrow(
      expect.objectContaining({ code: 'DATABASE_UNSUPPORTED', message }) as Error,
    );
  });
});
