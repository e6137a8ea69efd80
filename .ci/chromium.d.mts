/** Path of a Chromium, or undefined. Throws where CHROME_PATH is set but is no program. */
export function findChromium(): string | undefined;
