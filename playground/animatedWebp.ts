/**
 * Joins still WebP pictures of one size into a looping animation, by the container specification
 * (https://developers.google.com/speed/webp/docs/riff_container).
 */

/** A chunk: four letters, its length, its bytes, and a zero where their number is odd. */
function chunk(name: string, ...parts: Uint8Array[]): Buffer {
    const data = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.write(name, "latin1");
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Unsigned 24-bit integers, little-endian. */
function integers24(...values: number[]): Buffer {
    const bytes = Buffer.alloc(3 * values.length);
    values.forEach((value, i) => bytes.writeUIntLE(value, 3 * i, 3));
    return bytes;
}

/** The chunk of a still picture that has its image; others, such as a colour profile, are left out. */
function imageOf(file: Uint8Array): Buffer {
    const bytes = Buffer.from(file);
    // After "RIFF", the length and "WEBP".
    for (let at = 12; at < bytes.length;) {
        const end = at + 8 + bytes.readUInt32LE(at + 4);
        if (bytes.toString("latin1", at, at + 4) === "VP8 ") return bytes.subarray(at, end + (end % 2));
        at = end + (end % 2);
    }
    throw new Error("a frame is not lossy WebP");
}

/**
 * @param frames files of lossy WebP without alpha, all of one size
 * @param milliseconds time that each frame is shown
 */
export function animatedWebp(frames: readonly Uint8Array[], width: number, height: number, milliseconds: number): Buffer {
    const size = integers24(width - 1, height - 1);
    const ANIMATION_FLAG = 0x02;
    const header = chunk("VP8X", Buffer.from([ANIMATION_FLAG, 0, 0, 0]), size);
    // Background of four bytes; zero loops: for ever.
    const animation = chunk("ANIM", Buffer.alloc(6));
    const NO_BLENDING = 0x02;
    const body = frames.map((file) =>
        chunk("ANMF", integers24(0, 0), size, integers24(milliseconds), Buffer.from([NO_BLENDING]), imageOf(file)),
    );
    return chunk("RIFF", Buffer.from("WEBP", "latin1"), header, animation, ...body);
}
