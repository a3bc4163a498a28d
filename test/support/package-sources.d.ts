export declare const runtimeSources: Readonly<Record<string, string>>;
export declare const packageSources: Readonly<Record<string, string>>;
