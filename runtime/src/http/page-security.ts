import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * What keeps a page from being misused in a browser: content from itself alone, in no frame, of no other type than it says. A
 * route of the user's that needs more sets its own headers over these.
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
  // For the proxy that ends TLS to promise: it knows whether all of the host is behind it.
  strictTransportSecurity: false,
});

/** Sets the security headers of a page. Source: https://owasp.org/www-project-secure-headers/ */
export function securePage(request: IncomingMessage, response: ServerResponse): void {
  secure(request, response, (error?: unknown) => {
    if (error instanceof Error) throw error;
  });
}
