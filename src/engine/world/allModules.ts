/** For files that have all in them: what others load when it is first wanted is here from the start. */
import * as advice from "../bodies/advice";
import { adviceModule } from "../bodies/advice.lazy";
import * as contact from "../collision/response/contacts";
import { contactModule } from "../collision/response/contacts.lazy";
import * as links from "../rope/ropeSegmentContacts";
import { ropeSegmentModule } from "../rope/ropeSegments.lazy";
import * as meshShapes from "../collision/shapes/createMeshShapes";
import { meshColliderModule } from "../collision/shapes/mesh.lazy";
import * as selfCollision from "../collision/self/selfCollision";
import { selfCollisionModule } from "../collision/self/self.lazy";
import { solverModule } from "../solvers/solvers.lazy";
import * as solvers from "../solvers/solvers";
import * as inertia from "../bodies/inertia";
import { inertiaModule } from "../bodies/inertia.lazy";
import * as pull from "../attachments/pinPull";
import * as skin from "../attachments/skinParts";
import { skinTargetModule } from "../attachments/skin.lazy";
import { pinReactionModule } from "../attachments/pinReaction.lazy";

selfCollisionModule.set(selfCollision);
contactModule.set(contact);
ropeSegmentModule.set(links);
meshColliderModule.set(meshShapes);
solverModule.set(solvers);
pinReactionModule.set(pull);
skinTargetModule.set(skin);
adviceModule.set(advice);
inertiaModule.set(inertia);
