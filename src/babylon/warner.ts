import { Logger } from "@babylonjs/core/Misc/logger";
import { refusalReason } from "../engine/world/kernelAccess";

const reported = new Set<string>();

/** Logs why WebAssembly is refused here, once a page and owner. */
export function reportRefusal(owner: string): void {
    if (reported.has(owner)) return;
    reported.add(owner);
    Logger.Error(`${owner}: nothing is simulated. ${refusalReason()}`);
}

/** What tells the developer of each thing once. */
export function warner(owner: string): (message: string) => void {
    const told = new Set<string>();
    return (message) => {
        if (told.has(message)) return;
        told.add(message);
        Logger.Warn(`${owner}: ${message}`);
    };
}
