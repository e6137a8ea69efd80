/** Offers Havok's physics as the online Playground has it: a global function, which loads engine and WebAssembly when a scene first asks. */
export function offerHavok(): void {
    Object.assign(globalThis, { HavokPhysics: async () => (await import("@babylonjs/havok")).default() });
}
