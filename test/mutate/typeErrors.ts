import { join, resolve } from "node:path";
import ts from "typescript";
import { applied } from "./mutants";
import type { Mutant } from "./mutants";
import { COPY, read } from "./workshop";

/** Tells which mutants the type check, which is part of `npm test`, does not let through. */
export class TypeChecker {
    private readonly _options: ts.CompilerOptions;
    private readonly _host: ts.CompilerHost;
    private readonly _names: string[];
    private _program: ts.Program | undefined;
    private _changed: { path: string; text: string } | null = null;

    constructor() {
        const config = ts.getParsedCommandLineOfConfigFile(
            join(COPY, "tsconfig.json"),
            { noEmit: true, incremental: false },
            {
                ...ts.sys,
                onUnRecoverableConfigFileDiagnostic: () => {},
            },
        )!;
        this._options = { ...config.options, incremental: false, tsBuildInfoFile: undefined };
        this._names = [join(COPY, "src/index.ts")];
        this._host = ts.createCompilerHost(this._options);
        const files = new Map<string, ts.SourceFile | undefined>();
        const { getSourceFile } = this._host;
        this._host.getSourceFile = (name, ...rest) => {
            if (this._changed && resolve(name) === this._changed.path) {
                return ts.createSourceFile(name, this._changed.text, ts.ScriptTarget.ES2022, true);
            }
            if (!files.has(name)) files.set(name, getSourceFile(name, ...rest));
            return files.get(name);
        };
    }

    isTypeError(mutant: Mutant): boolean {
        const path = join(COPY, mutant.file);
        this._changed = { path, text: applied(read(mutant.file), mutant) };
        this._program = ts.createProgram(this._names, this._options, this._host, this._program);
        const source = this._program.getSourceFile(path);
        return !!source && this._program.getSemanticDiagnostics(source).length > 0;
    }
}
