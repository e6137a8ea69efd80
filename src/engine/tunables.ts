/**
 * Numbers that are choices, each with its meaning, its unit, and what goes wrong when it is larger or smaller. A number that follows from
 * another one is computed where it is used. Kernels get theirs from here: the build writes kernels/assembly/tunables.generated.ts.
 * Imports nothing. One list, so longer than other files.
 */

// ---- world: time, sleep, batches

/** Time at rest after which a body sleeps [s]. Larger: settled cloth costs longer; smaller: slow cloth stops at a turning point. */
export const TIME_TO_SLEEP = 0.5;
/** Time within which a body in contact gets no farther, after which it sleeps [s]. Larger: cloth that shakes in place never sleeps; smaller: creeping cloth stops. */
export const SHAKING_TIME = 1;
/** Distance of that, in `sleepSpeed` times a second. Larger: creeping cloth stops; smaller: cloth that shakes in place never sleeps. */
export const SHAKING_FACTOR = 5;
/** Steps without a change after which a substep is recorded. Larger: later gain; smaller: recordings that are used once. */
export const STEADY_STEPS = 4;
/** Weight of a new measurement in the expected time of a step. Larger: one slow frame makes cloths wait; smaller: a changed cost is seen late. */
export const BUDGET_SMOOTHING = 1 / 8;
/** Rounding of sums of frame times, as a share of a step. Larger: steps come early; smaller: a step is missed by rounding. */
export const CLOCK_ROUNDING = 1e-6;
/** Difference below which two clocks show the same time [s]. Larger: different frames are taken for one; smaller: clocks stay apart by rounding. */
export const SAME_TIME = 1e-6;
/** Longest frame in which a physics engine is taken to move its bodies [s]. Larger: bodies fly on in late frames; smaller: pins lag. */
export const MAX_ENGINE_FRAME = 0.1;
/** Particles of bodies that are stepped together. Larger: they leave the cache; smaller: more calls. */
export const MAX_BATCH_PARTICLES = 544;
/** Bodies that are tried for a batch. Larger: search costs; smaller: batches stay small. */
export const BATCH_SEARCH_LIMIT = 256;
/** Distance of a drawn contact, as a share of the margin. Larger: near particles are drawn in contact; smaller: contacts flicker. */
export const DRAWN_CONTACT_SHARE = 0.1;
/** Least distance of a drawn contact [m]. Larger and smaller: as above, without margin. */
export const MIN_DRAWN_CONTACT = 5e-4;
/** Frames over which times of stages are averaged. Larger: slow reading; smaller: it flickers. */
export const STOPWATCH_FRAMES = 60;
/** Frames of which one is measured while nobody reads the times. */
export const STOPWATCH_INTERVAL = 64;

// ---- state and bodies

/** Offset of flat cloth at its begin, as a share of its largest coordinate. Larger: it is seen; smaller: lost by rounding, and flat cloth does not buckle. */
export const PERTURBATION = 2 ** -21;
/** Most particles of a plant. Larger: the factored matrix costs; smaller: meshes are refused. */
export const MAX_PLANT_PARTICLES = 2800;
/** Speed below which cloth in contact is damped [m/s]. Larger: cloth slides as through honey; smaller: drapes shake for ever. */
export const CONTACT_DAMPING_SPEED = 0.15;
/** Most of that damping [1/s]. Larger: contacts stick; smaller: drapes shake for ever. */
export const MAX_CONTACT_DAMPING = 20;
/** Largest speed that an impulse may give [m/s]. Larger: overflow; smaller: users' impulses are cut. */
export const MAX_IMPULSE_SPEED = 1e4;
/** Largest mass of a pins' carrier over that of the cloth at each. Larger: pins on bodies are thrown; smaller: carriers swing as if light. */
export const MAX_CARRIER_MASS_RATIO = 2;
/** Most substeps that a user may ask for. */
export const MAX_SUBSTEPS = 256;
/** Largest speed of a particle [m/s]. Larger: coordinates overflow in 32 bits; smaller: fast scenes are braked. */
export const MAX_SPEED = 1000;
/** Smallest size of a mesh or option that is accepted [m]. Smaller: rounding to 32 bits. */
export const SMALLEST_SIZE = 1e-6;
/** Largest size of a mesh or option that is accepted [m]. Larger: rounding to 32 bits. */
export const LARGEST_SIZE = 1e6;

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
/** Speed at which particles leave a collider that they begin inside [m/s]. Larger: garments are flung at attach; smaller: cloth stays inside for long. */
export const RECOVERY_SPEED = 0.03;
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
/** Change of a carrier's speed in a frame that counts as a jump, as a share of `teleportSpeed`. Larger: sudden poses whip capes; smaller: dashes carry them stiffly. */
export const SUDDEN_SPEED_SHARE = 0.2;

/**
 * Time after a jump in which cloth on a skin goes no faster relative to it than {@link STABILIZED_SPEED} [s]. Carried along with its own part of the skin, cloth that
 * hangs off it is distorted where the skin bends, and would spring back at 5 to 10 m/s. Longer: slow to fall after a jump; shorter: what is distorted most still springs.
 */
export const STABILIZATION_TIME = 0.2;
/** See {@link STABILIZATION_TIME} [m/s]. Larger: a jolt; smaller: the cloth creeps back. */
export const STABILIZED_SPEED = 2;
/** Turn of a carrier out of rest that counts as a jump [rad/s]. Larger: sudden poses whip capes; smaller: quick turns carry them stiffly. */
export const SUDDEN_TURN = 18;
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

/** Triangles of a leaf of a mesh's bounding volume hierarchy. Other values: leaves do not fill a vector. */
export const MAX_LEAF_TRIANGLES = 4;
/** Cells of the Morton order along an axis. Larger: overflow; smaller: poor trees of large meshes. */
export const MORTON_CELLS = 1024;
/** Room for contacts of faces at first. Larger: memory; smaller: it grows at once. */
export const FACE_RECORD_CAPACITY = 64;
/** Distance below which a correction of the drawn state is left out [m]. Larger: cloth shows through; smaller: buffers are written for nothing. */
export const MIN_VISIBLE_DISTANCE = 1e-6;
/** Path of a collider that one slice of the drawn state's correction covers [m]. Larger: fast colliders show through; smaller: time. */
export const RENDER_SLICE_LENGTH = 0.03;
/** Most slices of a correction. Larger: time; smaller: fast colliders show through. */
export const MAX_RENDER_SLICES = 6;
/** Passes of a slice. Larger: time; smaller: cloth between two colliders shows through. */
export const RENDER_PASSES = 2;
/** Passes of the last slice. Larger: time; smaller: cloth between two colliders shows through. */
export const LAST_RENDER_PASSES = 6;

// ---- collision: self-collision

/** Candidates of a particle at most: bounds time and memory, however many are in one place. Smaller: heaps pass. */
export const MAX_CANDIDATES = 512;
/** Pairs of a particle at most. Larger: memory; smaller: heaps pass. */
export const MAX_PAIRS_PER_PARTICLE = 48;
/** Share of the margin that triangles may move against each other before lists are made anew. Larger: some pass; smaller: time. */
export const CCD_BOUND_SHARE = 0.8;
/** Substeps up to which contact that does not settle adds some. Larger: time, and pushes too gentle to part layers; smaller: fast cloth crosses. */
export const MAX_ADAPTED_SUBSTEPS = 16;
/** Substep from which a push is whole [s]; shorter ones push by the square of it. Larger: deep layers part slowly; smaller: pushes become speed. */
export const FULL_PUSH_SUBSTEP = 1 / 240;
/** Growth of a robust group's room for contacts at most. Larger: memory; smaller: it looks less far and lists more often. */
export const MAX_CAPACITY_FACTOR = 4;
/** Least share of the margins within which contacts are listed. Smaller: a list in each substep; larger: full lists, cloth that waits. */
export const MIN_SKIN_SCALE = 0.125;
/** Lists of a robust group in a frame. Larger: slow frames; smaller: cloth waits for the next frame. */
export const MAX_RELISTS = 64;
/** Halvings of a motion that would pass; then the particle waits. Larger: time; smaller: more cloth waits. */
export const MAX_CCD_HALVINGS = 3;
/** Halvings of a motion whose contacts overflow the list. Larger: time; smaller: cloth goes on as one of triangles. */
export const MAX_OVERFLOW_HALVINGS = 8;

// ---- solvers

/** Stiffness that stands for infinity in solvers with springs [N/m]. Larger: substeps of explicit ones explode; smaller: cloth stretches. */
export const MAX_MEMBRANE_STIFFNESS = 1e5;
/** Bending stiffness that stands for infinity there [N·m]. */
export const MAX_SPRING_BEND_STIFFNESS = 1;
/** Perturbation of a measured step, as a share. Larger: nonlinear; smaller: rounding. */
export const STABILITY_PERTURBATION = 1e-7;
/** Growth of an oscillation that counts as stable. Larger: slow explosions; smaller: rounding. */
export const GROWTH_TOLERANCE = 1e-9;
/** Flattening at which a hinge's force stops to grow. Larger: crushed triangles fill the system with noise; smaller: soft folds. */
export const MAX_FLATTENING = 8;
/** Growth of strain in a step beyond which it is taken again by halves. Larger: spun sheets grow; smaller: time. */
export const MAX_STRAIN_GROWTH = 0.05;
/** Halvings of a step at most. Larger: time; smaller: violent sheets are lost. */
export const MAX_IMPLICIT_HALVINGS = 3;
/** Quiet steps before a halved step is doubled. Larger: time; smaller: it is halved again. */
export const STEPS_BEFORE_DOUBLING = 2;
/** Residual at which conjugate gradients end, as a share. Larger: wrong by half at 1e-2; smaller: time. */
export const IMPLICIT_TOLERANCE = 1e-3;
/** Iterations of conjugate gradients at most; then the step is halved. */
export const MAX_IMPLICIT_ITERATIONS = 100;
/** Stiffness of a stick over the inertia of a substep. Larger: blades lock; smaller: plants sway slowly. */
export const MAX_PROJECTIVE_STIFFNESS = 30;
/** Bending stiffness of plants over the inertia of a substep; it is linear. Larger: rounding; smaller: stiff blades hang. */
export const MAX_PROJECTIVE_BEND_STIFFNESS = 1e4;
/** Stiffness that stands for infinity in bending [N·m]. */
export const MAX_BEND_STIFFNESS = 1e30;
/** Largest push of a crushed stick, as a share of its length. Larger: crushed cloth is thrown; smaller: sleeves collapse. */
export const MAX_STICK_PUSH = 0.5;
/** Passes of elastic tethers in a substep. Larger: time; smaller: fabrics that stretch hang too long. */
export const ELASTIC_TETHER_PASSES = 2;
/** Growth of mass splits with crowded directions. Larger: crowded places stretch; smaller: poles and fans gain energy. */
export const SPLIT_GROWTH = 2.5;
/** Growth of diagonals' splits with curvature at rest. Larger: soft shear; smaller: curved meshes gain energy. */
export const CURVED_GROWTH = 200;
/** Most of that growth. */
export const MAX_CURVED_GROWTH = 3;
/** Mass split from which a stick is crowded and gets further passes. Larger: poles stretch; smaller: time. */
export const CROWDED_SPLIT = 2;
/** Length of a short stick over the mean, which gets further passes. Larger: time; smaller: short edges stretch. */
export const SHORT_STICK_RATIO = 0.5;
/** Passes of such sticks at least. */
export const MIN_EXTRA_PASSES = 2;
/** Passes of such sticks at most. Larger: time; smaller: irregular meshes stretch. */
export const MAX_EXTRA_PASSES = 4;
/** Sag in a substep, over the mean stick, that asks for one further pass. Larger: irregular meshes stretch; smaller: time. */
export const SAG_PER_PASS = 1e-4;
/** Groups of pins that tether a particle. Larger: time; smaller: cloth hung at many places stretches. */
export const MAX_TETHERS = 4;
/** Over-relaxation of near limits. Above 2: energy; smaller: cloth on solids stretches. */
export const LIMIT_OVER_RELAXATION = 1.4;

// ---- rope

/** Least mass of a rope over its load. Larger: it swings too heavily; smaller: heavy loads are thrown. */
export const MIN_ROPE_MASS_SHARE = 0.01;
/** Bending stiffness over inertia that is factored. Larger: rounding; smaller: stiff ropes sag. */
export const MAX_ROPE_BEND_RATIO = 1e6;
/** Distance, in thicknesses, within which a contact holds a segment. Larger: ropes stick; smaller: they are drawn through each other. */
export const PRESSING_RATIO = 1.3;
/** Cosine between two contacts below which they squeeze. Larger: heaps lock; smaller: they creep. */
export const SQUEEZE_COSINE = 0.2;
/** Deepest correction of a contact, as a share of a segment. Larger: segments are thrown; smaller: ropes sink in. */
export const MAX_PRESS_RATIO = 0.5;
/** Largest push of a segment, in masses of a particle. Larger: columns explode; smaller: ropes crumple. */
export const MAX_PUSH_MASSES = 0.1;
/** Share of present directions in a limp rope's pulls. Larger: energy; smaller: zigzags stay. */
export const LIMP_BLEND = 0.25;
/** Share of present directions in a stiff rope's pulls. Larger: bending is damped; smaller: zigzags grow. */
export const STIFF_BLEND = 0.6;
/** Energy that self-contact may add, in falls of a substep. Larger: heaps are thrown; smaller: ropes creep off each other. */
export const ENERGY_ALLOWANCE = 5;
/** Tension ratio up to which contact keeps all speed. Larger: throws; smaller: capstans are braked. */
export const WINDING_TENSION = 2;
/** Tension ratio of a free rope beyond which substeps are halved. Larger: heavy loads stretch; smaller: time. */
export const FREE_TENSION_RATIO = 64;
/** Tension ratio beyond which substeps are halved near colliders. */
export const WOUND_TENSION_RATIO = 1;
/** Decay of the demand for substeps in a step. Larger: time; smaller: swinging loads change substeps. */
export const DEMAND_DECAY = 0.97;
/** Factor between demand for more and for fewer substeps. Larger: time; smaller: they change all the time. */
export const SUBSTEP_HYSTERESIS = 2;
/** Most substeps of a rope. Larger: slow frames; smaller: heavy loads stretch. */
export const MAX_ROPE_SUBSTEPS = 64;
/** Distance that a segment looks ahead at a mesh [m]. Larger: slow tests; smaller: tests in each substep. */
export const MAX_SEGMENT_CLEARANCE = 5e-3;
/** Largest correction of a segment that has not come far [m]. Larger: whipping ropes are thrown; smaller: they stay inside. */
export const MAX_SEGMENT_PUSH = 3e-3;
/**
 * Radius of the faces that the air meets, as a share of the edges across a sheet: it flows past the waves that are shorter than about twice that. Smaller: flags
 * buzz, and fly in light wind; larger: they swing as boards do.
 */
export const FACE_RADIUS = 0.15;

/** Largest twist of a segment [rad]. Larger: it flips; smaller: ropes cannot wind up. */
export const MAX_SEGMENT_TWIST = 2;
/** Fold of a segment that still counts, 1 + cos. Larger: folds do not turn; smaller: moments without bound. */
export const MIN_FOLD_COSINE = 0.2;

// ---- rigid bodies and joints

/** Gap of a new joint, over the bodies' size, up to which it is closed at once. */
export const SNAP_GAP_RATIO = 0.1;
/** Iterations over joints' limits. Larger: time; smaller: limits give. */
export const LIMIT_ITERATIONS = 8;
/** Angle before a limit from which it counts [rad]. Larger: time; smaller: limits are passed. */
export const LIMIT_MARGIN = 0.02;
/** Distance before a limit from which it counts, in rotations of a substep. */
export const LIMIT_LOOKAHEAD = 2;
/** Share of an angular error that a substep takes back. Larger: energy; smaller: hinges twist. */
export const ANGULAR_CORRECTION = 0.5;
/** Least distance at which bodies look for contacts [m]. Larger: pairs; smaller: contacts come late. */
export const RIGID_MARGIN = 1e-3;
/** Motion in a substep from which contacts are found anew [m]. Larger: bodies sink; smaller: time. */
export const FAST_RIGID_MOTION = 5e-4;
/** Motion in a step below which contacts are kept [m]. Larger: stacks creep; smaller: time. */
export const SLOW_RIGID_MOTION = 1e-4;
/** Cosine from which two contacts are one. Larger: time; smaller: corners lose contacts. */
export const MERGED_NORMAL_COSINE = 0.9;
/** Drift up to which a manifold is kept [m]. Larger: bodies sink; smaller: time. */
export const MAX_MANIFOLD_DRIFT = 1e-5;
/** Advantage that an edge pair needs over a face. Larger: edges sink; smaller: manifolds flicker. */
export const EDGE_PREFERENCE = 0.05;
/** Least share of a body's mass at a pinned point. Larger: levers lag; smaller: they are thrown. */
export const MIN_PIN_MASS_RATIO = 0.01;
/** Largest share of the same. */
export const MAX_PIN_MASS_RATIO = 4;
/** Share of a gap that a substep closes. Larger: pins throw bodies; smaller: they lag. */
export const PIN_CLOSING_SHARE = 0.05;
/** Least time over which a lent drift is given back [s]. Larger: carriers lag; smaller: uneven frames throw them. */
export const DRIFT_RECOVERY_TIME = 1 / 30;
/** Largest mass of a body over its carrier's that pulls it. Larger: light carriers are thrown; smaller: loads pull nothing. */
export const MAX_PULLED_MASS_RATIO = 10;
/** Corners of a hull that meets bodies as one. Larger: time; smaller: points alone collide. */
export const MAX_HULL_CORNERS = 64;
/** Acceleration by which a joint's load stiffens a body [m/s²]. Larger: chains are slow; smaller: light links shake. */
export const MIN_LOAD_ACCELERATION = 20;
/** Largest rotation in a substep, twice the arc sine of it [rad]. Larger: no convergence; smaller: fast bodies are braked. */
export const MAX_TURN = 0.45;
/** Rotation from which a pull acts at the rotated point, as above. Larger: energy; smaller: loss of energy. */
export const LARGE_TURN = 0.1;
/** Iterations of a rotation. Larger: time; smaller: fast bodies lose spin. */
export const MAX_DIVISIONS = 24;
/** Iterations over a body's pins. Larger: time; smaller: pins open. */
export const PIN_ITERATIONS = 4;
/** Passes over contacts in a substep. Larger: time; smaller: stacks shake at 4 mm/s. */
export const CONTACT_ITERATIONS = 4;
/** Passes after the motion. Larger: time; smaller: stacks fall. */
export const VELOCITY_ITERATIONS = 2;
/** Share of a depth that a substep takes back. Larger: stacks jump; smaller: bodies sink. */
export const PENETRATION_RECOVERY = 0.17;
/** Share of a creep that a substep takes back. Larger: stacks shake; smaller: they slide. */
export const CREEP_RECOVERY = 0.2;
/** Softness of a resting contact. Larger: stacks shake; smaller: they sink. */
export const SOFT_CORRECTION = 0.942;
/** Damping of a resting contact. Larger: stacks sink; smaller: they shake. */
export const SOFT_DAMPING = 0.03;
/** Change of speed at which passes end [m/s]. Larger: stacks shake; smaller: time. */
export const CONVERGED_SPEED = 2e-5;
/** Advantage at which the sorted axis changes. Larger: more pairs; smaller: sorting anew. */
export const AXIS_SWITCH_RATIO = 1.5;

/** Motion of a collider against the cloth in dropped time from which it jumps [m]. Larger: late frames fling cloth; smaller: at low frame rates limits jump into it. */
export const MAX_CARRIED_MOTION = 0.1;

// ---- attachments

/** Damping of the rigid motion fitted to pins, as a share of their spread. Larger: it turns too little; smaller: pins almost on a line turn cloth at random. */
export const RIGID_FIT_DAMPING = 3e-3;
/** Iterations of that fit. Larger: time; smaller: damping shows. */
export const RIGID_FIT_ITERATIONS = 2;
/** Distance of pins from that motion from which the strain of drawn cloth is limited [m]. Larger: edges at pins look stretched; smaller: time. */
export const MAX_RENDER_SPREAD = 1e-4;
/** Least squared radius of gyration of a carrier, as a share of the squared lever of its pins. Larger: long bodies turn slowly; smaller: light bodies on long levers are thrown. */
export const MIN_GYRATION_RATIO = 0.125;
/** Share of a carrier's rotation that taut cloth takes in a step. Larger: hung bodies do not swing; smaller: they gain energy. */
export const CARRIER_ROTATION_DAMPING = 0.2;
/** Most of it in a frame. */
export const MAX_CARRIER_ROTATION_DAMPING = 0.8;
/** Largest return speed of a pinned body [m/s]. Larger: a rope cut short throws it; smaller: it returns late. */
export const MAX_RETURN_SPEED = 1;

/** Inertia without weight of a tied particle, as a share of the heavier side. Larger: ropes swing slowly; smaller: light ends shake. */
export const ADDED_MASS_SHARE = 0.1;
/** Share of a gap that a substep closes. Larger: ties throw; smaller: they lag. */
export const TIE_CLOSING_SHARE = 0.05;
/** Stiffness, k dt² / m, up to which a spring is exact. Larger: shaking; smaller: added inertia. */
export const MAX_RESOLVED_STIFFNESS = 0.5;
/** Steps without motion after which a spring lets bodies rest. */
export const SPRING_STILL_STEPS = 2;
/** Share of displacements that damping leaves at least. */
export const MIN_KEPT_DISPLACEMENT = 1e-3;
/** Mass of a ring on a rail over the cloth's there. Larger: curtains drag; smaller: edges beside rings stretch. */
export const RING_MASS_SCALE = 8;

// ---- forces and free particles

/** Share of a displacement below which residuals are left out. Larger: slow pushes are lost; smaller: bodies never rest. */
export const MIN_RESIDUAL_SHARE = 1e-3;
/** Hits of a particle within a step; then it stays. Larger: time; smaller: particles stop in folds. */
export const MAX_HITS = 4;
/** Distance from cloth after a hit [m]. Larger: seen; smaller: particles pass by rounding. */
export const SURFACE_OFFSET = 1e-4;
/** Triangles near a particle that are looked at. Larger: time; smaller: some are missed. */
export const MAX_NEAR_TRIANGLES = 256;
/** Speed of a cloth between two updates above which it jumps [m/s]. Larger: jumps strike particles; smaller: fast cloth passes through. */
export const SWEPT_TELEPORT_SPEED = 100;

// ---- topology, mesh map, tearing, materials

/** Edge, over the mesh's scale, below which places share a particle. Larger: details are lost; smaller: short edges stretch. */
export const MIN_EDGE_RATIO = 0.1;
/** Least height of the triangle on which a detail rides, over its scale. Larger: few triangles fit; smaller: details tilt. */
export const MIN_HEIGHT_RATIO = 0.3;
/** Length over thickness from which a mesh is a rope. Larger: short ropes are refused; smaller: blobs are taken. */
export const MIN_SLENDERNESS = 4;
/** Distance from a vertex, over the edge, at which a cut goes through it. Larger: cuts zigzag; smaller: short edges. */
export const SNAP_RATIO = 0.25;
/** Deviation up to which an edit is a matrix. Larger: small edits are lost; smaller: baked matrices are not recognised. */
export const AFFINE_TOLERANCE = 1e-4;
/** Distance at which vertices are one particle, over the mesh's size. Larger: layers are sewn; smaller: seams open. */
export const WELD_TOLERANCE = 1e-5;
/** Preparations after which rest data is released. Larger: memory; smaller: changes of fabric are slow. */
export const RELEASE_AFTER_PREPARES = 2;
/** Cosine to straight ahead of an opposite particle. Larger: few supports; smaller: slanted ones. */
export const MIN_FACING_COSINE = 0.7;
/** Strain that limits leave to a fabric, over its sag. Larger: cloth stretches; smaller: limits carry what springs should. */
export const SAG_ALLOWANCE = 1.5;

// ---- bone chains

/** Fixed step of bone chains [s]. Larger: tails pass thin colliders, and motion of the head is coarse; smaller: costs. */
export const BONE_STEP = 1 / 60;
/** Most steps of bone chains in a frame; beyond, they are carried along. Larger: a late frame costs more; smaller: slow frames slow the motion down. */
export const MAX_BONE_STEPS = 15;
/** Passes over the links of one level of bone chains. Larger: costs; smaller: a leg spreads a skirt. */
export const BONE_LINK_PASSES = 6;
