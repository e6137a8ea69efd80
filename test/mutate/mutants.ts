/**
 * Small mistakes that a programmer could make, one at a time, found in the TypeScript syntax tree. Left out is what changes no
 * behaviour, or none that a test could ask for: types, texts, and comparisons that differ only where two floats are equal
 * (`<` against `<=`), except in the condition of a for loop.
 */
import ts from "typescript";

/** One changed expression or statement of one file. */
export interface Mutant {
    /** Names the mutant for as long as its line stays as it is, wherever the line moves. */
    readonly id: string;
    /** Path from the repository's root. */
    readonly file: string;
    /** From 1. */
    readonly line: number;
    /** Characters [start, end) of the file that the replacement takes the place of. */
    readonly start: number;
    readonly end: number;
    readonly isStatement: boolean;
    readonly original: string;
    readonly replacement: string;
}

const OPERATORS: Record<string, readonly string[]> = {
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["*"],
    "<": [">="],
    "<=": [">"],
    ">": ["<="],
    ">=": ["<"],
    "===": ["!=="],
    "!==": ["==="],
    "&&": ["||"],
    "||": ["&&"],
    "+=": ["-="],
    "-=": ["+="],
    "*=": ["/="],
    "/=": ["*="],
    "&&=": ["||="],
    "||=": ["&&="],
    "<<": [">>"],
    ">>": ["<<"],
    ">>>": ["<<"],
    "&": ["|"],
    "|": ["&"],
};
const LOOP_OPERATORS: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const CALLS: Record<string, string> = {
    "Math.min": "Math.max",
    "Math.max": "Math.min",
    "Math.floor": "Math.ceil",
    "Math.ceil": "Math.floor",
    "Math.round": "Math.floor",
    "Math.abs": "",
    "Math.fround": "",
};

/** All mutants of a file, in the order of its text. */
export function mutantsOf(file: string, text: string): Mutant[] {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    const lines = text.split("\n").map((line) => line.trim());
    const mutants: Mutant[] = [];
    const seen = new Map<string, number>();

    function add(node: ts.Node, replacement: string, isStatement = false): void {
        const start = node.getStart(source);
        const { line } = source.getLineAndCharacterOfPosition(start);
        const original = text.slice(start, node.end);
        const key = `${file}: ${lines[line]}: ${original} → ${replacement}`;
        const nth = (seen.get(key) ?? 0) + 1;
        seen.set(key, nth);
        mutants.push({ id: `${key} #${nth}`, file, line: line + 1, start, end: node.end, isStatement, original, replacement });
    }

    function visit(node: ts.Node): void {
        if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return;
        if (ts.isBinaryExpression(node)) addBinary(node);
        else if (ts.isPrefixUnaryExpression(node)) addPrefix(node);
        else if (ts.isNumericLiteral(node)) addNumber(node);
        else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
        else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
        else if (ts.isConditionalExpression(node)) {
            add(node, `(${node.whenTrue.getText(source)})`);
            add(node, `(${node.whenFalse.getText(source)})`);
        } else if (ts.isIfStatement(node)) {
            add(node.expression, "true");
            add(node.expression, "false");
        } else if (ts.isCallExpression(node)) {
            const other = CALLS[node.expression.getText(source)];
            if (other !== undefined)
                add(node, `${other}(${node.arguments.map((argument) => argument.getText(source)).join(", ")})`);
        } else if (isRemovable(node)) add(node, ";", true);
        ts.forEachChild(node, visit);
    }

    function addBinary(node: ts.BinaryExpression): void {
        const operator = node.operatorToken.getText(source);
        const [left, right] = [node.left.getText(source), node.right.getText(source)];
        if (operator === "??") {
            add(node, `(${left})!`);
            add(node, `(${right})`);
            return;
        }
        if (operator === "+" && isText(node)) return;
        const others = [...(OPERATORS[operator] ?? [])];
        if (ts.isForStatement(node.parent) && LOOP_OPERATORS[operator]) others.splice(0, 1, LOOP_OPERATORS[operator]);
        for (const other of others) add(node, `(${left} ${other} ${right})`);
    }

    function addPrefix({ operator, operand, parent }: ts.PrefixUnaryExpression): void {
        if (
            operator === ts.SyntaxKind.ExclamationToken ||
            (operator === ts.SyntaxKind.MinusToken && !ts.isNumericLiteral(operand))
        ) {
            add(operand.parent, `(${operand.getText(source)})`);
        } else if (operator === ts.SyntaxKind.MinusToken && parent) {
            add(operand.parent, operand.getText(source));
        }
    }

    function addNumber(node: ts.NumericLiteral): void {
        const { parent } = node;
        if (ts.isPropertyAssignment(parent) && parent.name === node) return;
        const value = Number(node.text);
        add(node, Number.isInteger(value) && value < 1000 ? String(value + 1) : `(2 * ${node.getText(source)})`);
    }

    visit(source);
    return mutants;
}

function isText(node: ts.BinaryExpression): boolean {
    return [node.left, node.right].some(
        (side) =>
            ts.isStringLiteralLike(side) ||
            ts.isTemplateExpression(side) ||
            (ts.isBinaryExpression(side) && side.operatorToken.kind === ts.SyntaxKind.PlusToken && isText(side)),
    );
}

/** Statements that may be forgotten: calls, assignments, early exits. */
function isRemovable(node: ts.Node): boolean {
    if (ts.isExpressionStatement(node)) {
        return !(ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword);
    }
    return ts.isContinueStatement(node) || ts.isThrowStatement(node) || (ts.isReturnStatement(node) && !node.expression);
}

/** The text with a mutant in it. */
export function applied(text: string, { start, end, replacement }: Mutant): string {
    return text.slice(0, start) + replacement + text.slice(end);
}

/**
 * The text in which every one of the mutants' places tells when it is reached, by a 1 in `mutantHits`, and every function of the
 * file when it is called, by a 1 at `fileIndex`: what changes a constant is reached once, when the file is loaded.
 */
export function withProbes(
    file: string,
    text: string,
    places: readonly { mutant: Mutant; index: number }[],
    fileIndex: number,
): string {
    const pieces: { at: number; order: number; text: string }[] = [];
    // What ends goes before what begins; the longer begins first and ends last.
    const put = (start: number, end: number, before: string, after: string): void => {
        pieces.push({ at: start, order: 1e6 - (end - start), text: before });
        pieces.push({ at: end, order: -1e6 + (end - start), text: after });
    };
    for (const { mutant, index } of places) {
        const [before, after] = mutant.isStatement ? ["{ ", "; "] : ["(", ", "];
        put(mutant.start, mutant.end, `${before}__hits[${index}] = 1${after}`, mutant.isStatement ? " }" : ")");
    }
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node)) {
            const { body } = node as ts.FunctionLikeDeclaration;
            if (body && ts.isBlock(body)) put(body.getStart(source) + 1, body.end - 1, ` __hits[${fileIndex}] = 1; `, "");
        }
        ts.forEachChild(node, visit);
    };
    visit(source);
    pieces.sort((a, b) => a.at - b.at || a.order - b.order);
    let result = "const __hits: any = (globalThis as any).mutantHits; ";
    let done = 0;
    for (const piece of pieces) {
        result += text.slice(done, piece.at) + piece.text;
        done = piece.at;
    }
    return result + text.slice(done);
}
