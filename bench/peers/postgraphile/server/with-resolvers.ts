/**
 * `Promise.withResolvers`, which PostGraphile 5.1 calls and Node has from version 22 on.
 * PostGraphile needs nothing else of Node 22 here. Where Node has the function, this file changes
 * nothing.
 */
interface Resolvers {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

if (!('withResolvers' in Promise)) {
  Object.defineProperty(Promise, 'withResolvers', { value: withResolvers, configurable: true, writable: true });
}

function withResolvers(): Resolvers {
  let resolve: Resolvers['resolve'] = () => undefined;
  let reject: Resolvers['reject'] = () => undefined;
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
