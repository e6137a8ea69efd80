/** A model's URL. */
declare module "*.glb" {
    const url: string;
    export default url;
}

/** Constants that webpack defines; undefined in Node. */
interface ImportMeta {
    /** webpack's major version. */
    webpack?: number;
    /** The modules of a folder: called with one of its keys, "./flag.ts", it gives that module. */
    webpackContext(folder: string, options: { regExp: RegExp; mode: "lazy-once" }): ModuleFolder<Promise<unknown>>;
    webpackContext(folder: string, options: { regExp: RegExp }): ModuleFolder<unknown>;
}

interface ModuleFolder<T> {
    (key: string): T;
    keys(): string[];
}

/** A style sheet's text. */
declare module "*.css" {
    const text: string;
    export default text;
}

/** Havok's physics, as the online Playground has it. */
declare const HavokPhysics: () => Promise<unknown>;
