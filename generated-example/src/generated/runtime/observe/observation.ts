/** What happened, as data: the logger and the metrics decide what to do with it; tests assert on it. */
export type Observation =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'warning'; readonly message: string; readonly hint?: string }
  | {
      readonly kind: 'request';
      readonly id: string;
      readonly method: string;
      readonly route: string;
      /** What was answered, or `clientClosedRequest`. */
      readonly status: number;
      readonly milliseconds: number;
    }
  | { readonly kind: 'failure'; readonly requestId?: string; readonly error: unknown }
  | { readonly kind: 'shutdown'; readonly phase: 'draining' | 'closed' | 'forced' };

/** The status of a request whose client left before it was answered: none is sent, and this is nginx's number for it. */
export const clientClosedRequest = 499;

export type Observer = (observation: Observation) => void;
