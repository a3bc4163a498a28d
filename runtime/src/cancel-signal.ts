/**
 * The part of an AbortSignal that a driver uses. A request's own is lighter: see
 * http/client-disconnect.ts.
 */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
