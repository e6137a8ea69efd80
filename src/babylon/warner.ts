import { Logger } from "@babylonjs/core/Misc/logger";

/** What tells the developer of each thing once. */
export function warner(owner: string): (message: string) => void {
    const told = new Set<string>();
    return (message) => {
        if (told.has(message)) return;
        told.add(message);
        Logger.Warn(`${owner}: ${message}`);
    };
}
