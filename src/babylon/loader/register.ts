import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry";
import { CLOTH_EXTENSION, ClothLoader } from "./clothLoader";

/** From now on Babylon's glTF loader makes cloth. */
export function registerClothLoader(): void {
    registerGLTFExtension(CLOTH_EXTENSION, false, (loader) => new ClothLoader(loader));
}
