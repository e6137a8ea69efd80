/** `import "babylon-cloth/vrm"`: VRM files bring their spring bones along, and `.vrm` is loaded as glTF. */
import { registerVrmLoader } from "./babylon/vrm/vrmLoader";

export { VRM_EXTENSION } from "./babylon/vrm/vrmLoader";

registerVrmLoader();
