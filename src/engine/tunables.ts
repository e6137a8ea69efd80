/**
 * Numbers that are choices, each with its meaning, its unit, and what goes wrong when it is larger or smaller. A number that follows from
 * another one is computed where it is used. Kernels get theirs from here: the build writes kernels/assembly/tunables.generated.ts.
 * Imports nothing.
 */

// ---- world: time, sleep, batches

// ---- state and bodies

// ---- collision: broad phase, shapes, response

// ---- collision: self-collision

// ---- solvers

// ---- rope

// ---- rigid bodies and joints

// ---- attachments

// ---- forces and free particles

// ---- topology, mesh map, tearing, materials
