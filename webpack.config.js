// webpack               babylon-cloth.umd.js (global BABYLONCLOTH); .ci/build.mjs writes the ES modules
// webpack serve --env playground    the playground on http://localhost:8080, or on the port that PORT or --port says
// webpack --env playground          the playground as static files
// --env docs=<address>              the page has a link to its documentation
// --env out=<folder>                writes there instead of dist/ or .cache/playground/
import { cpSync, existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import HtmlWebpackPlugin from "html-webpack-plugin";
import webpack from "webpack";
import { values } from "./.ci/types.mjs";

const root = dirname(fileURLToPath(import.meta.url));

/** What all builds share: TypeScript through swc (.swcrc), and the package's own name for the playground. */
function common(env) {
    return {
        context: root,
        devtool: "source-map",
        resolve: {
            extensions: [".ts", ".js"],
            alias: Object.fromEntries(
                ["index", "files", "loader", "vrm"].map((name) => [
                    `babylon-cloth${name === "index" ? "" : `/${name}`}$`,
                    join(root, `src/${name}.ts`),
                ]),
            ),
        },
        module: {
            rules: [
                // What is imported for what it does; package.json says that of the built files only.
                { test: /\/src\/(files|loader|engine\/world\/allModules)\.ts$/, sideEffects: true },
                {
                    oneOf: [
                        { test: /\.ts$/, exclude: /node_modules/, loader: "swc-loader" },
                        { test: /\.css$/, type: "asset/source" },
                        { test: /\.(glb|gltf|bin|png|jpe?g|webp|svg|env|hdr|dds)$/, type: "asset/resource" },
                    ],
                },
            ],
        },
        performance: { hints: false },
        stats: env.WEBPACK_SERVE ? "errors-warnings" : { preset: "errors-warnings", assets: true },
    };
}

function library(env) {
    return {
        ...common(env),
        mode: "production",
        entry: "./src/index.ts",
    };
}

/**
 * For a script tag after babylon.js, for AMD, and for import or require() beside the babylonjs package. The last line never
 * runs: Node reads the names of a CommonJS module's exports from such a line, and does not find them in webpack's.
 */
function umd(env) {
    return {
        ...library(env),
        name: "umd",
        entry: "./src/umd.ts",
        output: {
            path: resolve(root, env.out ?? "dist"),
            filename: "babylon-cloth.umd.js",
            library: { name: "BABYLONCLOTH", type: "umd" },
            globalObject: "typeof self !== 'undefined' ? self : this",
        },
        plugins: [
            new webpack.BannerPlugin({
                banner: `0 && (module.exports = { ${values.join(", ")} });`,
                raw: true,
                footer: true,
                // After the minifier, which would find out.
                stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
            }),
        ],
        externals: [
            ({ request }, callback) => {
                if (!/^@babylonjs\//.test(request)) return callback();
                callback(null, { root: "BABYLON", commonjs: "babylonjs", commonjs2: "babylonjs", amd: "babylonjs" });
            },
        ],
    };
}

/** Ends with one line where the port is taken; the server's own answer is a stack trace. */
async function demandPort(port) {
    const server = createServer();
    await new Promise((resolve) => {
        server.once("error", ({ code, message }) => {
            console.error(
                code === "EADDRINUSE"
                    ? `Port ${port} is in use. Is a playground running there already? Choose another: PORT=${port + 1} npm start`
                    : message,
            );
            process.exit(1);
        });
        server.listen(port, () => server.close(resolve));
    });
}

async function playground(env, { port = Number(process.env.PORT || 8080) }) {
    if (env.WEBPACK_SERVE) await demandPort(Number(port));
    const assets = join(root, "playground/assets");
    const out = resolve(root, env.out ?? ".cache/playground");
    /** Puts playground/assets beside the built page, where the development server shows it, too. */
    const copyAssets = (compiler) => {
        compiler.hooks.afterEmit.tap("copyAssets", () => {
            if (!env.WEBPACK_SERVE && existsSync(assets)) cpSync(assets, join(out, "assets"), { recursive: true });
        });
    };
    const shared = common(env);
    // The scenes' own text, for people to copy: import source from "./scenes/flag.ts?source"
    shared.module.rules.at(-1).oneOf.unshift({ resourceQuery: /source/, loader: join(root, "playground/sourceLoader.mjs") });
    return {
        ...shared,
        name: "playground",
        mode: env.WEBPACK_SERVE ? "development" : "production",
        devtool: env.WEBPACK_SERVE ? "eval-cheap-module-source-map" : false,
        entry: "./playground/index.ts",
        output: {
            path: out,
            filename: "[name].js",
            assetModuleFilename: "assets/[name].[contenthash:8][ext]",
            clean: !env.WEBPACK_SERVE,
        },
        plugins: [new HtmlWebpackPlugin({ template: "playground/index.html", docs: env.docs }), copyAssets],
        cache: {
            type: "filesystem",
            cacheDirectory: join(root, ".cache/webpack"),
            buildDependencies: { config: [fileURLToPath(import.meta.url), join(root, "playground/sourceLoader.mjs")] },
        },
        devServer: {
            port,
            hot: false,
            client: { overlay: { errors: true, warnings: false } },
            static: existsSync(assets) ? { directory: assets, publicPath: "/assets" } : false,
        },
    };
}

export default (env = {}, argv = {}) => (env.playground ? playground(env, argv) : umd(env));
