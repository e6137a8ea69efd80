import { Logger } from "@babylonjs/core/Misc/logger";
import { refusalReason } from "../../engine/index";

const reportedOwners = new Set<string>();

/** Logs why WebAssembly is refused here, once a page and owner. */
export function reportUnsupported(owner: string): void {
    if (reportedOwners.has(owner)) return;
    reportedOwners.add(owner);
    Logger.Error(`${owner}: nothing is simulated. ${refusalReason()}`);
}

/** Returns a logger of warnings that says each once. */
export function createWarnOnce(owner: string): (message: string) => void {
    const told = new Set<string>();
    return (message) => {
        if (told.has(message)) return;
        told.add(message);
        Logger.Warn(`${owner}: ${message}`);
    };
}
