/** Byte offsets of the slots of layout.ts (Uniform, StickRecord, Frame, Contact, SphereData, PlaneData): keep the two alike. */

export const UNIFORM_KEEP: usize = 0;
export const UNIFORM_GRAVITY: usize = 4;
export const UNIFORM_MAX_DISPLACEMENT: usize = 16;
export const UNIFORM_WIND_VELOCITY: usize = 32;
export const UNIFORM_GUST_VELOCITY: usize = 44;
export const UNIFORM_GUST_WAVE: usize = 56;
export const UNIFORM_GUST_PHASE: usize = 68;
export const UNIFORM_DRAG_TIME: usize = 72;
export const UNIFORM_SUBSTEP: usize = 76;
export const UNIFORM_MINIMUM: usize = 80;
export const UNIFORM_MAXIMUM: usize = 96;
export const UNIFORM_MOTION: usize = 112;

export const STICK_REST_LENGTHS: usize = 32;
export const STICK_WEIGHTS_A: usize = 48;
export const STICK_WEIGHTS_B: usize = 64;
/** Bytes of a record of four sticks. */
export const STICK_RECORD: usize = 80;

export const FRAME_TO_LOCAL: usize = 0;
export const FRAME_ALPHA: usize = 64;
export const FRAME_MINIMUM: usize = 80;
export const FRAME_MAXIMUM: usize = 96;

export const CONTACT_FRICTION: usize = 0;
export const CONTACT_THICKNESS: usize = 4;
export const CONTACT_MOTION: usize = 16;

export const SPHERE_CENTRE: usize = 80;
export const SPHERE_REACH: usize = 92;
export const SPHERE_TO_UNIT: usize = 96;
export const SPHERE_SQUARES: usize = 144;
export const SPHERE_IS_ROUND: usize = 156;
export const SPHERE_EXCESSES: usize = 160;

export const PLANE_NORMAL: usize = 80;
export const PLANE_OFFSET: usize = 92;
export const PLANE_NORMAL_BEFORE: usize = 96;
export const PLANE_OFFSET_BEFORE: usize = 108;
export const PLANE_RECOVERY: usize = 112;
export const PLANE_TO_UNIT: usize = 128;
export const PLANE_TO_UNIT_BEFORE: usize = 192;
export const PLANE_SIDES: usize = 256;
