/** `import "babylon-cloth/files"`: gives `cloth.serialize()` and `ClothBehavior.Parse(data, scene)` what they need. */
import { ClothFiles } from "./index";

ClothFiles.enable();
