// The module as text of printable characters, of which wasmKernels.ts reads the bytes (bytesOf, the same in reverse). Nearly a
// character a byte, and the same one for the same byte: compressed, it is as small as the bytes themselves, nine tenths of
// hexadecimal digits.

/** Characters of ASCII, less those that a string literal escapes. */
const alphabet = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((c) => c !== '"' && c !== "\\");

/** Codes of one character; the last two characters begin one of two. */
const SINGLE = alphabet.length - 2;
/** Shift of byte values, so that 253 to 255, which are frequent, and 0 to 87 take one character. */
const SHIFT = 3;

/** The text of bytes. */
export function printable(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => {
        const code = (byte + SHIFT) & 255;
        if (code < SINGLE) return alphabet[code];
        const rest = code - SINGLE;
        return alphabet[SINGLE + Math.floor(rest / alphabet.length)] + alphabet[rest % alphabet.length];
    }).join("");
}
