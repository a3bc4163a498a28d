/**
 * Declares the used parts of Vega, so that the type check passes where the benchmark's own packages
 * are not installed.
 */
declare module 'vega-lite' {
  export function compile(specification: object): { readonly spec: object };
}

declare module 'vega' {
  export function parse(specification: object): object;
  export class View {
    constructor(runtime: object, options: { readonly renderer: 'none' });
    toSVG(): Promise<string>;
    finalize(): this;
  }
}
