// webpack loader: a module of the gallery as JavaScript to copy, by the TypeScript compiler: without types, imports, exports and
// the entry `about`. Gives { text, imports, names }: imports from beside it by their path below playground/ without ".ts"; names
// are the functions and parameters that it declares.
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const playground = dirname(fileURLToPath(import.meta.url));
/** Stands for a blank line while the compiler prints, which would drop it. */
const blank = "//blank";

export default function sourceLoader(source) {
    const path = this.resourcePath;
    return `export default ${JSON.stringify(toJavaScript(source, path))};`;
}

function withoutExport(node) {
    return node.kind === ts.SyntaxKind.ExportKeyword ? undefined : node;
}

export function toJavaScript(source, path) {
    const imports = [];
    const names = new Set();
    const strip = (context) => (file) => {
        const collect = (node) => {
            if ((ts.isFunctionDeclaration(node) || ts.isParameter(node)) && node.name) names.add(node.name.getText(file));
            ts.forEachChild(node, collect);
        };
        collect(file);
        const kept = file.statements.flatMap((statement) => {
            if (ts.isImportDeclaration(statement)) {
                const { importClause, moduleSpecifier } = statement;
                const isNamespace = importClause?.namedBindings && ts.isNamespaceImport(importClause.namedBindings);
                // A namespace is a global where the text is pasted.
                if (!isNamespace && !importClause?.isTypeOnly)
                    imports.push(
                        relative(playground, join(dirname(path), moduleSpecifier.text))
                            .split(sep)
                            .join("/"),
                    );
                return [];
            }
            const isAbout =
                ts.isVariableStatement(statement) && statement.declarationList.declarations[0].name.getText(file) === "about";
            return isAbout ? [] : [ts.visitEachChild(statement, withoutExport, context)];
        });
        return context.factory.updateSourceFile(file, kept);
    };
    const { outputText, diagnostics } = ts.transpileModule(source.replace(/^$/gm, blank), {
        fileName: path,
        reportDiagnostics: true,
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, newLine: ts.NewLineKind.LineFeed },
        transformers: { before: [strip] },
    });
    if (diagnostics.length > 0)
        throw new Error(
            ts.formatDiagnostics(diagnostics, {
                getCanonicalFileName: (name) => name,
                getCurrentDirectory: () => playground,
                getNewLine: () => "\n",
            }),
        );
    const text = outputText
        .replace(/^ *\/\/blank$/gm, "")
        .replace(/^export \{\};$/m, "")
        .replace(/\n{3,}/g, "\n\n")
        .trim();
    return { text, imports, names: [...names] };
}
