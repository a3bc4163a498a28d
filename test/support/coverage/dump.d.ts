export interface Dump {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
  readonly 'source-map-cache'?: Readonly<Record<string, unknown>>;
}

export declare function addDump(dump: Dump, ran: Map<string, Set<number>>): void;
