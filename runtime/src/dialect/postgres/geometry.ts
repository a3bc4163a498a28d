import type { SqlType } from '../../descriptor/descriptor.js';

/** The types of PostGIS. PostgreSQL's own `point` and `polygon` have no GeoJSON. */
export const isGeometry = ({ schema, name }: SqlType): boolean =>
  schema !== undefined && (name === 'geometry' || name === 'geography');
