import { parseAddress } from '../../../runtime/src/dialect/postgres/catalog/connection/address.js';

const codeOf = (text: string): unknown => {
  try {
    return parseAddress(text);
  } catch (error) {
    expect(JSON.stringify(error) + String(error)).not.toContain('s3cret');
    expect((error as Error).cause).toBeUndefined();
    return (error as { code: string }).code;
  }
};

describe('parseAddress', () => {
  it.each([
    ['postgres://ann:s3cret@db.example:5433/app', 'postgres://ann@db.example:5433/app'],
    ['postgresql://ann:s3cret@db.example/app?sslmode=require', 'postgresql://ann@db.example/app?sslmode=require'],
    ['postgres://ann:s3cret@/app?host=/var/run/postgresql', 'postgres://ann@/app?host=/var/run/postgresql'],
    ['postgres:///app?host=/run&user=ann&password=s3cret', 'postgres:///app?host=%2Frun&user=ann'],
    ['postgres://ann:s3cret%40%2F%23@h/app', 'postgres://ann@h/app'],
    ['POSTGRES://h/app', 'postgres://h/app'],
  ])('shows %s without what is secret', (url, display) => {
    expect(parseAddress(url)).toEqual({ kind: 'postgres', url, display });
  });

  it.each([
    ['pglite:data', 'data'],
    ['pglite:./data/db', './data/db'],
    ['pglite:/var/data', '/var/data'],
    ['pglite:C:\\data', 'C:\\data'],
    ['pglite://data', 'data'],
  ])('takes %s as a folder', (url, folder) => {
    expect(parseAddress(url)).toEqual({ kind: 'pglite', folder, display: `pglite:${folder}` });
  });

  it.each([
    ['', 'USAGE'],
    ['localhost/app', 'USAGE'],
    ['localhost:5432/app', 'USAGE'],
    ['pglite:', 'USAGE'],
    ['postgres://ann:s3cret#x@h/app', 'USAGE'],
    ['postgres://ann:123#s3cret@h/app', 'USAGE'],
    ['postgres://ann:123/s3cret@h/app', 'USAGE'],
    ['postgres://ann:123?s3cret@h/app', 'USAGE'],
    ['postgres://ann:s3cret%@h/app', 'USAGE'],
    ['postgres://ann:s3cret@h:port/app', 'USAGE'],
    ['mysql://ann:s3cret@h/app', 'DATABASE_UNSUPPORTED'],
    ['https://ann:s3cret@h/app', 'DATABASE_UNSUPPORTED'],
  ])('refuses %s and repeats nothing of it', (url, code) => {
    expect(codeOf(url)).toBe(code);
  });
});
