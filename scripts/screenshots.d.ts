export declare const pages: Readonly<Record<string, unknown>>;
export declare const looks: Readonly<Record<string, unknown>>;
export declare function pictureOf(page: string, look: string): string;
