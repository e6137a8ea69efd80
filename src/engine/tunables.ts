/**
 * Numbers that are choices, each with its meaning, its unit, and what goes wrong when it is larger or smaller. A number that follows from
 * another one is computed where it is used. Kernels get theirs from here: the build writes kernels/assembly/tunables.generated.ts.
 * Imports nothing.
 */

// ---- world: time, sleep, batches

// ---- state and bodies

// ---- collision: broad phase, shapes, response

/** Least margin of a body's bounds in a step, and rounding of 32-bit positions far from the origin [m]. Larger: far colliders are tested; smaller: contacts are missed far away. */
export const BOUNDS_MARGIN = 1e-3;
/** Growth of bounds in a step, in motions of the last step. Larger: more pairs are tested; smaller: fast cloth leaves its bounds, which tests all. */
export const BOUNDS_MOTION_FACTOR = 2;
/** Least margin of face candidates in a step [m]. Larger: more candidates; smaller: faces are found late. */
export const FACE_MARGIN = 5e-3;
/** Room for stretch in measured edges, squared. Larger: more candidates; smaller: stretched faces are missed. */
export const FACE_STRETCH = 1.5;
/** Relative difference of scales below which a mesh keeps its BVH. Larger: bounds are too small; smaller: it is rebuilt by rounding. */
export const SAME_SIZE_TOLERANCE = 1e-5;
/** Time without contact after which a contact counts as new [s]. Larger: events are missed; smaller: one impact fires several. */
export const CONTACT_EVENT_GAP = 0.1;
/** Closing distance answered by one further pass behind a fast collider [m]. Larger: it cuts through cloth; smaller: more passes. */
export const FOLLOW_DISTANCE = 5e-3;
/** Most further passes behind a fast collider in a substep. Larger: slow frames; smaller: it cuts through cloth. */
export const MAX_FOLLOW_PASSES = 40;
/** Depth of a deep contact, and displacement of a fast collider in a substep [m]. Larger: fast colliders tunnel; smaller: slow ones cost as fast ones do. */
export const DEEP_DEPTH = 5e-3;
/** Closing distance of a fast contact in a substep [m]: 9.6 m/s at four substeps. Larger: fast colliders drag cloth into themselves; smaller: further passes for slow ones. */
export const FAST_CLOSING = 0.04;
/** Impact speed that bounds friction of fast contacts [m/s]. Larger: particles that constraints pull inward stick; smaller: fast colliders slip. */
export const MAX_FRICTION_SPEED = 2;
/** Distance from which supports hold while cloth is squeezed [m]. Larger: cloth sticks to walls; smaller: particles jump behind a door. */
export const SUPPORT_MARGIN = 0.03;
/** Approach speed below which contacts do not bounce, in falls of a substep. Larger: slow bounces are lost; smaller: resting cloth jitters. */
export const RESTING_FALLS = 2;
/** Weight of a dynamic body's contacts against its mass. Larger: it sinks in; smaller: it is pushed too hard. */
export const DYNAMIC_LOAD_FACTOR = 2;
/** Difference of rest [steps] over which a squeezed particle's push passes to the collider with priority. Larger: both push alike; smaller: the push jumps. */
export const PRIORITY_STEPS = 60;
/** Largest rest that counts for priority [steps]. */
export const PRIORITY_LIMIT = 1e6;
/** Depth of a pinched contact, as a share of the thickness. Larger: pinched cloth is pushed late; smaller: it trembles. */
export const PINCHED_SHARE = 0.3;
/** Least thickness that contacts of faces and pinched particles reckon with [m]. Larger: cloth floats; smaller: thin cloth is cut. */
export const MIN_THICKNESS = 1e-3;
/** Share of the thickness that faces keep. Larger: chords on round solids are pushed out without end; smaller: faces are cut. */
export const FACE_THICKNESS_SHARE = 0.5;
/** Largest push of a cut face in one response [m]. Larger: it tears, since it is held on both sides; smaller: it comes out late. */
export const MAX_CUT_PUSH = 3e-3;
/** Most iterations for the closest points of a face and a solid. Larger: slower; smaller: edges of boxes are missed. */
export const FACE_ITERATIONS = 8;
/** Squared motion at which these iterations end [m²]. Larger: inexact contacts; smaller: slower. */
export const FACE_CONVERGENCE = 1e-8;
/** Largest ratio of successive moves that is extrapolated. Larger: overshoot; smaller: slow convergence. */
export const MAX_CONVERGENCE_RATIO = 0.95;
/** Barycentric share from which a contact belongs to a corner. Larger: corners count twice; smaller: faces beside them miss contacts. */
export const FACE_CORNER_SHARE = 0.999;
/** Share of a box's rim from which its edges and corners hold a point. */
export const BOX_RIM_SHARE = 0.5;
/** Motion in a substep from which a solid is swept, as a share of its least half extent. Larger: solids tunnel; smaller: slower. */
export const SWEEP_SHARE = 0.5;
/** Most steps along a swept path. Larger: slower; smaller: grazing paths count as hits. */
export const SWEEP_ITERATIONS = 16;
/** Distance of a hit, as a share of the sweep. Larger: early hits; smaller: more steps. */
export const SWEEP_TOLERANCE = 0.125;
/** Newton iterations of the closest point on an ellipsoid. Larger: slower; smaller: inexact on flat ones. */
export const ELLIPSOID_ITERATIONS = 6;
/** Core of an ellipsoid, as a share of the way to its surface; nearer to the centre, corners alone answer. */
export const ELLIPSOID_CORE_SHARE = 0.5;
/** Relative difference of axes that counts as none, flattest ellipsoid with volume, and distance of a point on an axis [m]. Larger: spheres of the wrong size; smaller: division by rounding. */
export const ROUND_TOLERANCE = 1e-6;
/** Shear below which a pose counts as a scaled rotation. Larger: wrong shapes; smaller: rounding makes hulls of boxes. */
export const SHEAR_TOLERANCE = 1e-4;
/** Largest taper of a capsule; beyond it one sphere holds the other. Larger: division by zero; smaller: steep ones grow. */
export const STEEPEST_TAPER = 0.999;
/** Least distance of a box's core from its faces [m]. Larger: thin boxes have none; smaller: cut faces find no way out. */
export const MIN_CORE_MARGIN = 2e-2;
/** Most of it, as a share of half of the box's least size. */
export const MAX_CORE_MARGIN_SHARE = 0.5;
/** Distance from a box's medial plane within which the way out is chosen anew, in moves of a substep. */
export const DIRECTION_MOVES = 2;
/** Share of the thickness below a rectangle from which a particle belongs to its back. Larger: cloth changes sides; smaller: it sticks to the back. */
export const BACK_FACE_SHARE = 0.9;
/** Least such depth [m]. */
export const MIN_BACK_DEPTH = 1e-4;
/** Shortest normal of a plane [m²]. Larger: small rectangles have none; smaller: directions of rounding. */
export const MIN_PLANE_NORMAL = 1e-12;
/** Least distance kept from meshes [m]. Larger: thin cloth floats; smaller: its side is lost. */
export const MIN_MESH_DISTANCE = 2e-4;
/** Share of the kept distance within which the nearest triangle's plane stands for the mesh. Larger: wrong planes at edges; smaller: more searches. */
export const MESH_PLANE_SLACK = 0.2;
/** Tolerance of the nearest triangle, as a share of the kept distance. Larger: more triangles are tested; smaller: a side is told by rounding. */
export const MESH_SEARCH_SHARE = 0.05;
/** Enlargement of a mesh's triangles for paths. Larger: hits beside the mesh; smaller: paths slip between two triangles. */
export const MESH_SEAM = 1e-4;
/** Growth of a collider's motion in a frame that counts as a jump. Larger: teleports sweep cloth away; smaller: fast starts pass through it. */
export const JUMP_FACTOR = 3;
/** Share of a tether's violation that a dynamic body takes back in a frame. Larger: it is thrown; smaller: it hangs low. */
export const RECOVERY_SHARE = 0.15;
/** Least cosine between a contact and the tethers' pull. Larger: bodies slip off taut cloth; smaller: sideways contacts push them. */
export const MIN_TAUT_COSINE = 0.2;
/** Largest strain of cloth after a substep. Larger: it looks like rubber; smaller: more passes. */
export const STRAIN_LIMIT = 0.04;
/** Strain at which the passes end. Larger: some edges stay long; smaller: more passes. */
export const STRAIN_STOP = 0.042;
/** Most passes of the strain limit. Larger: slow frames; smaller: long chains stay stretched. */
export const STRAIN_PASSES = 80;
/** Period of passes over all constraints; the others visit parts found too long. Larger: corrections are found late; smaller: slower. */
export const STRAIN_FULL_PERIOD = 4;
/** Over-relaxation of the passes: 2 / (1 + sin π/n) for chains of n = 40 (Young 1954). Larger: edges fold; smaller: slow convergence. */
export const STRAIN_OVER_RELAXATION = 1.85;
/** Over-relaxation of the first pass and the last ones. Larger: small flags tremble; smaller: slow convergence. */
export const STRAIN_GENTLE_RELAXATION = 1.28;
/** Number of last passes with it. */
export const STRAIN_GENTLE_PASSES = 2;

// ---- collision: self-collision

// ---- solvers

// ---- rope

// ---- rigid bodies and joints

// ---- attachments

/** Least squared radius of gyration of a carrier, as a share of the squared lever of its pins. Larger: long bodies turn slowly; smaller: light bodies on long levers are thrown. */
export const MIN_GYRATION_RATIO = 0.125;
/** Share of a carrier's rotation that taut cloth takes in a step. Larger: hung bodies do not swing; smaller: they gain energy. */
export const CARRIER_ROTATION_DAMPING = 0.2;
/** Most of it in a frame. */
export const MAX_CARRIER_ROTATION_DAMPING = 0.8;
/** Largest return speed of a pinned body [m/s]. Larger: a rope cut short throws it; smaller: it returns late. */
export const MAX_RETURN_SPEED = 1;

// ---- forces and free particles

// ---- topology, mesh map, tearing, materials
