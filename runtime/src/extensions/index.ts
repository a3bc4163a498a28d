import { isOfTenants } from '../server/custom.js';
import type { Extension, Extensions, LoadExtensions } from '../server/extension.js';
import { settingsOf } from '../server/server-options.js';
import { workerTask, type WorkerExtension } from './workers/task.js';

/**
 * Every extension that a server may have. A server loads the modules of those alone that its
 * settings and its custom code ask for.
 */
export const extensions: Extensions = {
  load: (asked) => loadWith()(asked),
  worker: workerTask?.worker,
  join: async (options) => {
    if (workerTask !== undefined) return (await import('./workers/index.js')).joinAsWorker(workerTask, loadWith);
    const settings = settingsOf(options);
    if (settings['app.server.workers'] === 1) return undefined;
    return (await import('./workers/index.js')).joinAsParent(options, settings, loadWith);
  },
};

type Loader = readonly [isNeeded: boolean, load: () => Extension | Promise<Extension>];

/** @param joined of a process that serves an address with others */
function loadWith(joined?: WorkerExtension): LoadExtensions {
  return ({ settings, custom, hasDriver }) => {
    const hasReplicas = !hasDriver && (settings['app.datasource.replicas'] ?? []).length > 0;
    const all: readonly Loader[] = [
      [hasReplicas, async () => (await import('./replicas/index.js')).replicas],
      ...(joined === undefined ? [] : [[true, () => joined] as const]),
      [isOfTenants(custom), async () => (await import('./tenants/index.js')).tenants],
      [
        settings['app.limits.rates'].length > 0,
        async () => (await import('./rates/index.js')).ratesWith(joined?.openRateStore),
      ],
      [settings['app.security.schema-by-role'], async () => (await import('./roles/index.js')).roles],
      [(settings['app.rest.postgrest'] ?? '') !== '', async () => (await import('./postgrest/index.js')).postgrest],
      [settings['app.server.base-path'] !== undefined, async () => (await import('./base-path/index.js')).basePath],
      [settings['app.mcp'], async () => (await import('./mcp/index.js')).mcp],
      ...(custom.extensions ?? []).map((own): Loader => [
        true,
        async () => (await import('./custom/index.js')).ofUser(own),
      ]),
    ];
    return Promise.all(all.filter(([isNeeded]) => isNeeded).map(async ([, load]) => load()));
  };
}
