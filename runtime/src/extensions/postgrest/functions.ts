import { calledProcedure, callableFunctions } from '../../descriptor/results.js';
import type { Services } from '../../execute/services.js';
import { indexFunctions, type MountFunctions } from '../../endpoint/rest/functions.js';

/** Each path below `rpc` is a function. The call fails if the function does not exist. */
export function postgrestFunctions({ registry, dialect }: Services): MountFunctions {
  const procedures = dialect.capabilities.callsByRpc ? registry.procedures.values() : [];
  const named = indexFunctions([...callableFunctions(registry), ...[...procedures].map(calledProcedure)]);
  return {
    named,
    schemas: [...new Set([...registry.schemas.keys(), ...named.keys()])],
    at: (schema, name) => named.get(schema)?.get(name) ?? [],
  };
}
