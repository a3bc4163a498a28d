/** A part of the reference. A member is a key, or a prefix of keys that ends before `.` or `-`. */
export interface Group {
  readonly title: string;
  readonly members: readonly string[];
}

export const generatorGroups: readonly Group[] = [
  { title: 'What is read and served', members: ['url', 'schemas', 'exclude', 'functions', 'rules'] },
  { title: 'Names', members: ['names', 'rename', 'enumOutput', 'relay'] },
  {
    title: 'Facts that the catalogue lacks',
    members: ['types', 'keys', 'relations', 'notNull', 'optional', 'computed', 'procedures'],
  },
  { title: 'Files and findings', members: ['out', 'clients', 'apiDocuments', 'agentsFile', 'doctor'] },
];

export const settingGroups: readonly Group[] = [
  { title: 'Connect to the database', members: ['app.datasource'] },
  { title: 'Authenticate callers', members: ['app.security'] },
  { title: 'Listen and shut down', members: ['app.server'] },
  { title: 'Choose rows and their form', members: ['app.schemas', 'app.max-rows', 'app.types', 'app.errors'] },
  { title: 'REST', members: ['app.rest'] },
  { title: 'GraphQL', members: ['app.graphql'] },
  { title: 'Subscriptions', members: ['app.changes', 'app.websocket'] },
  { title: 'Follow a changed database', members: ['app.cache', 'app.drift'] },
  { title: 'Browsers and compression', members: ['app.cors', 'app.compression'] },
  { title: 'Limit requests', members: ['app.limits'] },
  { title: 'Logs, metrics and traces', members: ['app.log', 'app.metrics', 'app.traces', 'app.usage'] },
  { title: 'The console', members: ['app.console'] },
  { title: 'Agents', members: ['app.mcp'] },
];

export const belongsTo = (key: string, { members }: Group): boolean =>
  members.some((member) => key === member || key.startsWith(`${member}.`) || key.startsWith(`${member}-`));
