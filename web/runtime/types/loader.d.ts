/**
 * A loader with its own memory of what it has compiled and started. The page has one
 * (`load` of index.js); tests make as many as they like.
 * @param {Environment} [environment]
 */
export function createLoader(environment?: Environment): <Name extends ModuleName>(name: Name, { variant, onProgress }?: LoadChoice) => Promise<ReturnType<(typeof modules)[Name]["create"]>>;
/**
 * Loads a module of the lecture and returns its facade: the same one for everybody who asks for
 * the same module and variant. With any part of the environment replaced, a facade of its own.
 *
 * @template {ModuleName} Name
 * @param {Name} name
 * @param {LoadOptions} [options]
 * @returns {Promise<ReturnType<(typeof modules)[Name]['create']>>}
 * @throws {AttentionDeckError} `load_*`, `no_webassembly`, `bad_argument`
 */
export function load<Name extends ModuleName>(name: Name, options?: LoadOptions): Promise<ReturnType<(typeof modules)[Name]["create"]>>;
export namespace modules {
    namespace core {
        let builds: Record<Variant, Build>;
        let create: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile) => import("./core.js").Core;
        let selfTest: (facade: import("./core.js").Core) => string | null;
    }
    namespace tokens {
        let builds_1: Record<Variant, Build>;
        export { builds_1 as builds };
        let create_1: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile) => import("./tokens.js").Tokens;
        export { create_1 as create };
        let selfTest_1: (facade: import("./tokens.js").Tokens) => string | null;
        export { selfTest_1 as selfTest };
    }
    namespace experiments {
        let builds_2: Record<Variant, Build>;
        export { builds_2 as builds };
        let create_2: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile) => import("./experiments.js").Experiments;
        export { create_2 as create };
        let selfTest_2: (facade: import("./experiments.js").Experiments) => string | null;
        export { selfTest_2 as selfTest };
    }
    namespace kernels {
        let builds_3: Record<Variant, Build>;
        export { builds_3 as builds };
        let create_3: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile) => import("./kernels.js").Kernels;
        export { create_3 as create };
        let selfTest_3: (facade: import("./kernels.js").Kernels) => string | null;
        export { selfTest_3 as selfTest };
    }
    namespace cache {
        let builds_4: Record<Variant, Build>;
        export { builds_4 as builds };
        let create_4: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile) => import("./cache.js").Cache;
        export { create_4 as create };
        let selfTest_4: (facade: import("./cache.js").Cache) => string | null;
        export { selfTest_4 as selfTest };
    }
}
export type Variant = "scalar" | "simd" | "relaxed";
export type Features = {
    simd: boolean;
    relaxedSimd: boolean;
};
export type Progress = {
    phase: "fetch" | "compile" | "self_test" | "ready";
    variant: Variant;
    /**
     * Bytes here so far.
     */
    loaded: number;
    /**
     * Bytes to come in all; null where the server does not say.
     */
    total: number | null;
};
/**
 * What Emscripten writes: settings in, the raw module out.
 */
export type Glue = (options: Record<string, unknown>) => Promise<any>;
/**
 * What a test, or a page with needs of its own, may replace.
 */
export type Environment = {
    /**
     * Fetches the module, in Node too.
     */
    fetch?: typeof fetch | undefined;
    /**
     * Instead of probing the engine.
     */
    features?: Partial<Features> | undefined;
    /**
     * The folder that holds `core.simd.wasm` and its siblings.
     */
    baseUrl?: string | URL | undefined;
    /**
     * null: as if there were none.
     */
    webAssembly?: typeof WebAssembly | null | undefined;
};
/**
 * One module in one variant: its glue, and where its bytes are.
 */
export type Build = {
    glue: () => Promise<{
        default: Glue;
    }>;
    bytes: () => URL;
};
/**
 * Whoever wants to hear of the progress.
 */
export type News = {
    tell: (news: Omit<Progress, "variant">) => void;
    /**
     * Whether anybody does.
     */
    wanted: boolean;
};
/**
 * A live instance.
 */
export type Running = {
    raw: any;
    variant: Variant;
};
/**
 * Brings a file that a module works on, in a page and in Node alike.
 */
export type FetchFile = (url: URL, file: FileWanted) => Promise<Uint8Array>;
export type FileWanted = {
    /**
     * What the file is, for the sentences of errors: “The vocabulary”.
     */
    what: string;
    /**
     * Whether it begins as it must.
     */
    isRight: (bytes: Uint8Array) => boolean;
    onProgress?: ((news: {
        loaded: number;
        total: number | null;
    }) => void) | undefined;
};
export type ModuleEntry<Facade> = {
    builds: Record<Variant, Build>;
    create: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile) => Facade;
    /**
     * What came out wrong, or null.
     */
    selfTest: (facade: Facade) => string | null;
};
export type ModuleName = keyof typeof modules;
export type LoadChoice = {
    variant?: "auto" | Variant;
    onProgress?: (progress: Progress) => void;
};
export type LoadOptions = LoadChoice & Environment;
