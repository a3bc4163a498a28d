export declare function llmsText(): string;
