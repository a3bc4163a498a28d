/** Where the explorer gets openapi.json, or the part of it that is about one table or function. */
export const operationsPath = '/console/operations';

export const swaggerScript = '/console/assets/swagger-ui.js';
