import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * Headers that protect a page in a browser: content from this server only, no frames, no guessing
 * of content types. A route of the user's code can override them.
 */
const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'", 'data:'],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  // The proxy that terminates TLS sets this header: only the proxy knows whether the whole host
  // uses TLS.
  strictTransportSecurity: false,
});

/** Sets the security headers of a page. Source: https://owasp.org/www-project-secure-headers/ */
export function securePage(request: IncomingMessage, response: ServerResponse): void {
  secure(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
}
