/**
 * A loader with its own memory of what it has compiled and started. The page has one
 * (`load` of index.js); tests make as many as they like.
 * @param {Environment} [environment]
 */
export function createLoader(environment?: Environment): <Name extends ModuleName>(name: Name, { variant, onProgress }?: LoadChoice) => Promise<FacadeOf<Name>>;
/**
 * Loads a module of the lecture and returns its facade: the same one for everybody who asks for
 * the same module and variant. With any part of the environment replaced, a facade of its own.
 *
 * @template {ModuleName} Name
 * @param {Name} name
 * @param {LoadOptions} [options]
 * @returns {Promise<FacadeOf<Name>>}
 * @throws {AttentionDeckError} `load_*`, `no_webassembly`, `bad_argument`
 */
export function load<Name extends ModuleName>(name: Name, options?: LoadOptions): Promise<FacadeOf<Name>>;
export namespace modules {
    namespace core {
        let builds: Record<Variant, Build>;
        let face: () => Promise<Face<import("./core.js").Core>>;
    }
    namespace tokens {
        let builds_1: Record<Variant, Build>;
        export { builds_1 as builds };
        let face_1: () => Promise<Face<import("./tokens.js").Tokens>>;
        export { face_1 as face };
    }
    namespace experiments {
        let builds_2: Record<Variant, Build>;
        export { builds_2 as builds };
        let face_2: () => Promise<Face<import("./experiments.js").Experiments>>;
        export { face_2 as face };
    }
    namespace layer {
        let builds_3: Record<Variant, Build>;
        export { builds_3 as builds };
        let face_3: () => Promise<Face<import("./layer.js").Layer>>;
        export { face_3 as face };
    }
    namespace kernels {
        let builds_4: Record<Variant, Build>;
        export { builds_4 as builds };
        let face_4: () => Promise<Face<import("./kernels.js").Kernels>>;
        export { face_4 as face };
    }
    namespace bill {
        let builds_5: Record<Variant, Build>;
        export { builds_5 as builds };
        let face_5: () => Promise<Face<import("./bill.js").Bills>>;
        export { face_5 as face };
    }
    namespace files {
        let builds_6: Record<Variant, Build>;
        export { builds_6 as builds };
        let face_6: () => Promise<Face<import("./files.js").Files>>;
        export { face_6 as face };
    }
    namespace cache {
        let builds_7: Record<Variant, Build>;
        export { builds_7 as builds };
        let face_7: () => Promise<Face<import("./cache.js").Cache>>;
        export { face_7 as face };
    }
    namespace decode {
        let builds_8: Record<Variant, Build>;
        export { builds_8 as builds };
        let face_8: () => Promise<Face<import("./decode.js").Decode>>;
        export { face_8 as face };
    }
    namespace model {
        let builds_9: Record<Variant, Build>;
        export { builds_9 as builds };
        let face_9: () => Promise<Face<import("./model.js").Models>>;
        export { face_9 as face };
    }
    namespace answers {
        let builds_10: Record<Variant, Build>;
        export { builds_10 as builds };
        let face_10: () => Promise<Face<import("./answers.js").Answers>>;
        export { face_10 as face };
    }
    namespace reading {
        let builds_11: Record<Variant, Build>;
        export { builds_11 as builds };
        let face_11: () => Promise<Face<import("./reading.js").Readings>>;
        export { face_11 as face };
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
 * What is fetched of a module; instances are made of it.
 */
export type Parts = {
    glue: Glue;
    face: Face<any>;
    compiled: WebAssembly.Module;
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
/**
 * Brings the module that reads files of the reader's own, for those that need it only then.
 */
export type LoadFiles = () => Promise<import("./files.js").Files>;
/**
 * What a module is to a page: checked calls, and questions whose answers are known.
 */
export type Face<Facade> = {
    create: (running: Running, restart: () => Promise<Running>, fetchFile: FetchFile, loadFiles: LoadFiles) => Facade;
    /**
     * What came out wrong, or null.
     */
    selfTest: (facade: Facade) => string | null;
};
export type ModuleEntry<Facade> = {
    builds: Record<Variant, Build>;
    /**
     * Comes with its module: a page with one simulator has no use for the others'.
     */
    face: () => Promise<Face<Facade>>;
};
export type ModuleName = keyof typeof modules;
export type LoadChoice = {
    variant?: "auto" | Variant;
    onProgress?: (progress: Progress) => void;
};
export type LoadOptions = LoadChoice & Environment;
export type FacadeOf<Name extends ModuleName> = ReturnType<Awaited<ReturnType<(typeof modules)[Name]["face"]>>["create"]>;
