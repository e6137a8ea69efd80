// Lint rules, run by `npm run lint` after the formatter (Prettier, .prettierrc.json).
// Beside the usual ones they hold the layers apart: babylon/ -> engine/ -> kernels/; only babylon/ knows Babylon.
import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const noBabylon = {
    regex: "^@babylonjs/|^babylonjs",
    message: "Only src/babylon imports Babylon; the layers below run without it.",
};
const noBinding = {
    regex: "/babylon(/|$)",
    message: "Imports point down: babylon/ -> engine/ -> kernels/.",
};
const noKernels = {
    regex: "/kernels(/|$)",
    message: "Babylon files ask the engine; only engine/ knows the kernels.",
};
const onlyDoor = {
    regex: "/engine/(?!index$)",
    message: "The engine has one door: engine/index.ts.",
};
const noDoor = {
    regex: "^(\\.\\./)+(engine/)?index$",
    message: "engine/index.ts is for those above; inside, import the file.",
};
const noEngine = {
    regex: "/engine(/|$)",
    message: "Imports point down: kernels/ know nothing of the engine.",
};

const noWholeEngine = {
    regex: "^@babylonjs/core(/index(\\.js)?)?$|^@babylonjs/core/Legacy|^babylonjs",
    message: "The whole engine would come along; import the one module that is needed.",
};
const noEngineParts = {
    regex: "^@babylonjs/core/(scene|Engines/|Meshes/(mesh|abstractMesh|transformNode|meshBuilder)(\\.js)?$|Materials/|Physics/)",
    allowTypeImports: true,
    message: "Half the engine at run time: use `import type` and call methods on the user's own objects.",
};

function restrict(files, patterns) {
    return { files, rules: { "@typescript-eslint/no-restricted-imports": ["error", { patterns }] } };
}

export default defineConfig(
    {
        ignores: [
            "dist/**",
            ".cache/**",
            "node_modules/**",
            "**/*.generated.ts",
            // AssemblyScript: its own language, checked by its own compiler
            "src/kernels/assembly/**",
        ],
    },
    eslint.configs.recommended,
    tseslint.configs.recommended,
    {
        files: ["**/*.ts"],
        languageOptions: { parserOptions: { ecmaVersion: 2022, sourceType: "module" } },
        rules: {
            // The compiler knows all names.
            "no-undef": "off",
            "prefer-const": "error",
            eqeqeq: ["error", "smart"],
            "no-console": "off",
            "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
            "@typescript-eslint/no-unused-vars": [
                "error",
                { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "none" },
            ],
            // The numeric code indexes typed arrays in bounds that its callers have checked.
            "@typescript-eslint/no-non-null-assertion": "off",
        },
    },
    {
        files: ["**/*.{js,mjs,cjs}"],
        languageOptions: {
            globals: { process: "readonly", console: "readonly", performance: "readonly", Buffer: "readonly", URL: "readonly" },
        },
    },
    {
        files: ["test/**/*.test.ts"],
        rules: {
            "no-restricted-syntax": [
                "error",
                {
                    selector: "CallExpression[callee.object.name='fc'][callee.property.name='assert']",
                    message: "Its seed is random; use expectHolds of test/property.ts.",
                },
            ],
        },
    },
    restrict(["src/*.ts"], [noBabylon, noKernels]),
    restrict(["src/index.ts", "src/files.ts", "src/loader.ts", "src/vrm.ts"], [noBabylon, noKernels, onlyDoor]),
    restrict(["src/engine/**/*.ts"], [noBabylon, noBinding, noDoor]),
    restrict(["src/kernels/**/*.ts"], [noBabylon, noBinding, noEngine]),
    restrict(["src/babylon/**/*.ts"], [noKernels, onlyDoor, noWholeEngine, noEngineParts]),
    // What makes meshes and materials of its own: an app with cloth has these classes anyway.
    restrict(
        ["src/babylon/builders/babylonObjects.ts", "src/babylon/baking/vertexAnimationPlugin.ts"],
        [noKernels, onlyDoor, noWholeEngine],
    ),
);
