/** For files that have all in them: what others load when it is first wanted is here from the start. */
import * as contact from "./colliders/contact";
import { contactModule } from "./colliders/contactPart";
import * as links from "./colliders/links";
import { ropeSegmentModule } from "./colliders/linksPart";
import * as meshShapes from "./colliders/meshShapes";
import { meshColliderModule } from "./colliders/meshPart";
import * as crowd from "./crowd/crowd";
import { selfCollisionModule } from "./crowd/part";
import { solverModule } from "./methods/part";
import * as solvers from "./methods/solvers";
import * as pull from "./pins/pull";
import { pinReactionModule } from "./pins/pullPart";

selfCollisionModule.set(crowd);
contactModule.set(contact);
ropeSegmentModule.set(links);
meshColliderModule.set(meshShapes);
solverModule.set(solvers);
pinReactionModule.set(pull);
