/** `import "babylon-cloth/loader"`: glTF files bring their cloth along. */
import { registerClothLoader } from "./babylon/loader/clothLoader";

export { CLOTH_EXTENSION } from "./babylon/loader/clothLoader";
export type { ClothExtras, PaintedBy } from "./babylon/loader/clothExtras";

registerClothLoader();
