import { scalarText } from './encode.js';

/** The well-known text of a geometry in GeoJSON, and its reference system where `crs` names one. */
export interface Geometry {
  readonly text: string;
  /** 0: `crs` is null, so that none can be assumed. Undefined: there is no `crs`. */
  readonly srid: number | undefined;
}

/** Whether a value is GeoJSON: an object, or a text that begins as one. */
export const isGeoJson = (value: unknown): boolean =>
  typeof value === 'string'
    ? /^\s*\{/.test(value)
    : typeof value === 'object' &&
      value !== null &&
      [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/**
 * Reads a geometry in GeoJSON: the JSON text or the object. Throws what `refuse` makes of a value
 * that is none. Source: RFC 7946, 3.1; https://geojson.org/geojson-spec.html 3 (`crs`, of 2008, as
 * PostGIS has it)
 * @param dimensions so many numbers of a position are taken
 */
export function readGeoJson(given: unknown, dimensions: 2 | 3, refuse: () => Error): Geometry {
  return new Reader(dimensions, refuse).geometry(typeof given === 'string' ? parsed(given, refuse) : given);
}

type Json = Readonly<Record<string, unknown>>;
type Write = (coordinates: unknown) => string;

function parsed(text: string, refuse: () => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse();
  }
}

class Reader {
  readonly #writers: ReadonlyMap<unknown, Write>;

  constructor(
    private readonly dimensions: number,
    private readonly refuse: () => Error,
  ) {
    const position: Write = (value) => this.#position(value);
    const positions: Write = (value) => this.#list(value, position);
    const rings: Write = (value) => this.#list(value, positions);
    this.#writers = new Map<unknown, Write>([
      ['Point', (value) => `(${position(value)})`],
      ['LineString', positions],
      ['MultiPoint', positions],
      ['Polygon', rings],
      ['MultiLineString', rings],
      ['MultiPolygon', (value) => this.#list(value, rings)],
    ]);
  }

  geometry(value: unknown): Geometry {
    const object = this.#record(value);
    return { text: this.#text(object), srid: this.#srid(object['crs']) };
  }

  #record(value: unknown): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.refuse();
    return value as Json;
  }

  #text({ type, coordinates, geometries }: Json): string {
    const isEmpty = (each: unknown): boolean => Array.isArray(each) && each.length === 0;
    if (type === 'GeometryCollection' && isEmpty(geometries)) return 'GEOMETRYCOLLECTION EMPTY';
    if (type === 'GeometryCollection')
      return `GEOMETRYCOLLECTION${this.#list(geometries, (each) => this.#text(this.#record(each)))}`;
    const write = this.#writers.get(type);
    if (typeof type !== 'string' || write === undefined) throw this.refuse();
    return `${type.toUpperCase()}${isEmpty(coordinates) ? ' EMPTY' : write(coordinates)}`;
  }

  #position(value: unknown): string {
    if (!Array.isArray(value) || value.length < 2) throw this.refuse();
    return value
      .slice(0, this.dimensions)
      .map((each) => this.#number(each))
      .join(' ');
  }

  #list(values: unknown, write: Write): string {
    if (!Array.isArray(values) || values.length === 0) throw this.refuse();
    return `(${values.map(write).join(',')})`;
  }

  #number(value: unknown): string {
    const text = typeof value === 'number' || typeof value === 'object' ? scalarText(value) : '';
    if (text === '' || !Number.isFinite(Number(text))) throw this.refuse();
    return text;
  }

  /** `EPSG:4326`, `urn:ogc:def:crs:EPSG::4326`, and the name that RFC 7946 gives WGS 84. */
  #srid(crs: unknown): number | undefined {
    if (crs === undefined) return undefined;
    if (crs === null) return 0;
    const { name } = this.#record(this.#record(crs)['properties']);
    if (name === 'urn:ogc:def:crs:OGC:1.3:CRS84') return 4326;
    const digits = typeof name === 'string' ? /EPSG:(?:[\d.]*:)?(\d{1,9})$/.exec(name)?.[1] : undefined;
    if (digits === undefined) throw this.refuse();
    return Number(digits);
  }
}
