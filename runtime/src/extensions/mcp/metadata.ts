import type { IncomingMessage } from 'node:http';
import { createBaseOf } from '../../http/senders.js';
import type { Answer } from '../../response/answer.js';
import type { Settings } from '../../settings/settings.js';

/** Where clients of OAuth look: with the path of the resource behind it, or without. */
export const metadataPath = '/.well-known/oauth-protected-resource';
export const mcpPath = '/mcp';

/**
 * Tells clients of OAuth which server issues the tokens of `/mcp`. Source: RFC 9728, 3.
 */
export function createMetadata(settings: Settings) {
  const baseOf = createBaseOf(settings);
  const issuer = settings['app.security.auth.issuer'];
  return {
    answer: (request: IncomingMessage): Answer => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: JSON.stringify({
        resource: `${baseOf(request) ?? ''}${mcpPath}`,
        ...(issuer !== undefined && URL.canParse(issuer) ? { authorization_servers: [issuer] } : {}),
        bearer_methods_supported: ['header'],
        resource_name: 'tablewright',
      }),
    }),
    /** `WWW-Authenticate` of a 401, with the address of the metadata. Source: RFC 9728, 5.1. */
    challenge: (request: IncomingMessage, challenge: string): string => {
      const base = baseOf(request);
      if (base === undefined) return challenge;
      const parameter = `resource_metadata="${base}${metadataPath}${mcpPath}"`;
      return challenge === '' ? `Bearer ${parameter}` : `${challenge}, ${parameter}`;
    },
  };
}
