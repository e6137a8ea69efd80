import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { createCape } from "./cape";
import type { CapeOptions } from "./cape";
import { createChainMesh } from "./chain";
import type { ChainBuilderOptions } from "./chain";
import { createCurtain } from "./curtain";
import type { CurtainMesh, CurtainOptions } from "./curtain";
import { createAwning, createBanner, createFlag, createNet, createSail, createTablecloth } from "./hangingCloths";
import type { AwningOptions, BannerOptions, FlagOptions, NetOptions, SailOptions, TableclothOptions } from "./hangingCloths";
import type { ClothMesh } from "./makeCloth";
import { createRopeMesh } from "./rope";
import type { RopeBuilderOptions, RopeMesh } from "./rope";
import { subdivideMesh } from "./subdivide";

/**
 * Cloth in one call, in the habit of Babylon's MeshBuilder:
 *
 *     const flag = ClothBuilder.CreateFlag("flag", { fabric: "silk", wind: "breeze" }, scene);
 *
 * Each makes a mesh with u and v from 0 to 1 (to the right and upwards), a two-sided copy of the scene's default material, and a running
 * {@link ClothBehavior}, whose options pass through; `pins` replaces what the builder would pin, `colliders` come in addition. Edges,
 * substeps and distances follow the size, for 0.1 to 10 m. Place it before the first frame, and it begins there; scale it, and call
 * `mesh.cloth.reset()`. All throw RangeErrors on unknown options and values out of range, and nothing is made then.
 */
export const ClothBuilder = {
    /** A flag, pinned along its left edge, whose top is the mesh's origin; upright across x and y. */
    CreateFlag: (name: string, options: FlagOptions, scene: Scene): ClothMesh => createFlag(name, options, scene),

    /** A banner, pinned at both ends; upright across x and y, the origin in its middle. */
    CreateBanner: (name: string, options: BannerOptions, scene: Scene): ClothMesh => createBanner(name, options, scene),

    /** A pleated curtain that hangs from rings on a rail along x; the origin is the middle of the rail. It opens and closes by its `open`. */
    CreateCurtain: (name: string, options: CurtainOptions, scene: Scene): CurtainMesh => createCurtain(name, options, scene),

    /** A tablecloth, square or round, across x and z; free, and begins on its table. */
    CreateTablecloth: (name: string, options: TableclothOptions, scene: Scene): ClothMesh => createTablecloth(name, options, scene),

    /** A cape about a wearer who looks along z, or -z in a right-handed scene; the origin is midway between the shoulders. */
    CreateCape: (name: string, options: CapeOptions, scene: Scene): ClothMesh => createCape(name, options, scene),

    /** A three-cornered sail, pinned along the mast and at the end of its boom; the origin is its head, upright across x and y. */
    CreateSail: (name: string, options: SailOptions, scene: Scene): ClothMesh => createSail(name, options, scene),

    /** A net, pinned along its upper edge and its ends; drawn by an alpha-tested texture. Upright across x and y, the origin in its middle. */
    CreateNet: (name: string, options: NetOptions, scene: Scene): ClothMesh => createNet(name, options, scene),

    /** An awning, pinned along a wall, which is behind its origin's z, and along its front bar, from which a valance hangs. */
    CreateAwning: (name: string, options: AwningOptions, scene: Scene): ClothMesh => createAwning(name, options, scene),

    /** A rope, a tube in world space from one place, or node, to another; it has a {@link RopeBehavior} in place of a ClothBehavior. */
    CreateRope: (name: string, options: RopeBuilderOptions, scene: Scene): RopeMesh => createRopeMesh(name, options, scene),

    /**
     * A chain, the same of steel links that are thin instances of one mesh, each turned by a right angle against the one before: they follow the rope's
     * particles, `segmentCount` of them, by default so many that they fit. `radius` is half of a link's width.
     * @throws Error without `import "@babylonjs/core/Meshes/thinInstanceMesh"`
     */
    CreateChain: (name: string, options: ChainBuilderOptions, scene: Scene): RopeMesh => createChainMesh(name, options, scene),

    /**
     * Divides the triangles of a mesh until no edge is longer, so that it can fold as cloth: to be called before it is. The mesh keeps its
     * shape, materials and seams; texture coordinates, colours, skin weights and morph targets of new vertices lie between those of their
     * edge's ends. Clones that share its geometry keep the old one.
     * @param maxEdge longest edge in the world, as the mesh is placed now [m], > 0
     * @returns the same mesh
     * @throws RangeError on a mesh that is cloth, or where more than 1,000,000 vertices would come of it; Error on a mesh without triangles
     */
    Subdivide: (mesh: Mesh, maxEdge: number): Mesh => subdivideMesh(mesh, maxEdge),
};
