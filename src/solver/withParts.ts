/** For files that have all in them: what others load when it is first wanted is here from the start. */
import * as contact from "./colliders/contact";
import { contactPart } from "./colliders/contactPart";
import * as links from "./colliders/links";
import { linksPart } from "./colliders/linksPart";
import * as meshShapes from "./colliders/meshShapes";
import { meshPart } from "./colliders/meshPart";
import * as crowd from "./crowd/crowd";
import { crowdPart } from "./crowd/part";
import { solverPart } from "./methods/part";
import * as solvers from "./methods/solvers";
import * as pull from "./pins/pull";
import { pullPart } from "./pins/pullPart";

crowdPart.provide(crowd);
contactPart.provide(contact);
linksPart.provide(links);
meshPart.provide(meshShapes);
solverPart.provide(solvers);
pullPart.provide(pull);
