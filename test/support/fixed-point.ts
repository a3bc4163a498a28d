import { isWrittenAs } from '../../runtime/src/catalog/fingerprint.js';
import { fingerprint, parseCatalog, portable, serializeCatalog, type Catalog } from '../../runtime/src/generator.js';

/**
 * catalog.json is a fixed point of read and write: `generate` compares its bytes, and a server
 * compares its fingerprint with that of the database.
 */
export function expectFixedPoint(catalog: Catalog): void {
  const text = serializeCatalog(catalog);
  const again = parseCatalog(text);
  expect(again).toEqual(portable(catalog));
  expect(serializeCatalog(again)).toBe(text);
  expect(fingerprint(again)).toBe(fingerprint(catalog));
  expect(isWrittenAs(catalog, text)).toBe(true);
}
