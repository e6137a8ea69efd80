import { finite, integer, reject } from "../../engine/index";
import type { SelectContext } from "./selectContext";
import { checkMask, readComponent, requireAttribute } from "./attributeSelectors";
import type { MaskImage, MaskOptions } from "./attributeSelectors";

/** Reads a number for each vertex of a mesh; made by {@link paint}. */
export interface Paint {
    /** Shape [vertexCount]. */
    read(context: SelectContext): Float32Array;
}

export function isPaint(paint: unknown): paint is Paint {
    return typeof paint === "object" && paint !== null && typeof (paint as Partial<Paint>).read === "function";
}

const OWNER = "paint";

/** Numbers painted on a mesh: 0 becomes `from`, 1 becomes `to`, and what is between lies between. */
export const paint = {
    /** By a channel of the vertex colours, as painted in a modelling tool. @throws RangeError, when read, where the mesh has none */
    vertexColor(channel: "r" | "g" | "b" | "a", from = 0, to = 1): Paint {
        const lane = ["r", "g", "b", "a"].indexOf(channel);
        if (lane < 0) reject(OWNER, "vertexColor(channel)", '"r", "g", "b" or "a"', channel);
        return interpolate("vertexColor", from, to, (context) => {
            const colors = requireAttribute(OWNER, "vertexColor(channel)", context, "color", 4);
            return (v) => colors[4 * v + lane];
        });
    },

    /**
     * By a component of a vertex attribute, the first being 0.
     * @param kind as in `mesh.getVerticesData(kind)`
     * @throws RangeError, when read, where the mesh has none
     */
    attribute(kind: string, from = 0, to = 1, component = 0): Paint {
        if (typeof kind !== "string") reject(OWNER, "attribute(kind)", "the name of a vertex attribute", kind);
        integer(OWNER, "attribute(component)", 0, component, 3);
        return interpolate("attribute", from, to, (context) => readComponent(OWNER, context, kind, component));
    },

    /** By an image over the mesh's texture coordinates, see {@link readMask}. */
    mask(image: MaskImage, from = 0, to = 1, options: Omit<MaskOptions, "threshold"> = {}): Paint {
        const readAt = checkMask(OWNER, image, options);
        return interpolate("mask", from, to, readAt);
    },
};

function interpolate(name: string, from: number, to: number, read: (context: SelectContext) => (vertex: number) => number): Paint {
    finite(OWNER, `${name}(from)`, from);
    finite(OWNER, `${name}(to)`, to);
    return {
        read(context) {
            const at = read(context);
            return Float32Array.from({ length: context.vertexCount }, (_, v) => from + (to - from) * at(v));
        },
    };
}
