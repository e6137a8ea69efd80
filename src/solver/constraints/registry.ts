import type { Arena } from "../../kernels/arena";
import type { ClothState } from "../state";
import type { ClothTopology } from "../topology";
import type { Constraint } from "./constraint";
import { Sticks } from "./sticks";
import { Tethers } from "./tethers";

/**
 * The kinds of constraints of a cloth in the order of their projection: what matters most comes last and so holds best.
 * A new kind is one file, its kernel, its test and one line here.
 */
export const constraintKinds: readonly ((arena: Arena, state: ClothState, topology: ClothTopology) => Constraint)[] = [
    (arena, state, topology) => new Sticks(arena, state, topology.bend, "bend", "bendStiffness"),
    (arena, state, topology) => new Sticks(arena, state, topology.shear, "shear", "shearStiffness"),
    (arena, state, topology) => new Sticks(arena, state, topology.structural, "structural", "stretchStiffness"),
    (arena, _state, topology) => new Tethers(arena, topology),
];
