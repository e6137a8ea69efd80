/** Texts of the scenes' modules, by their path below playground/ without ".ts". */
import ballLook from "../looks/ball.ts?raw";
import bannerLook from "../looks/banner.ts?raw";
import buildersLook from "../looks/builders.ts?raw";
import curtainLook from "../looks/curtain.ts?raw";
import fabric from "../looks/fabric.ts?raw";
import flagLook from "../looks/flag.ts?raw";
import paint from "../looks/paint.ts?raw";
import resolutionsLook from "../looks/resolutions.ts?raw";
import skirtLook from "../looks/skirt.ts?raw";
import studio from "../looks/studio.ts?raw";
import tableclothLook from "../looks/tablecloth.ts?raw";
import ball from "../scenes/ball.ts?raw";
import banner from "../scenes/banner.ts?raw";
import builders from "../scenes/builders.ts?raw";
import clipEars from "../scenes/clipEars.ts?raw";
import curtain from "../scenes/curtain.ts?raw";
import flag from "../scenes/flag.ts?raw";
import resolutions from "../scenes/resolutions.ts?raw";
import skirt from "../scenes/skirt.ts?raw";
import tablecloth from "../scenes/tablecloth.ts?raw";

export const sources: Record<string, string> = {
    "scenes/ball": ball,
    "scenes/banner": banner,
    "scenes/builders": builders,
    "scenes/clipEars": clipEars,
    "scenes/curtain": curtain,
    "scenes/flag": flag,
    "scenes/resolutions": resolutions,
    "scenes/skirt": skirt,
    "scenes/tablecloth": tablecloth,
    "looks/ball": ballLook,
    "looks/banner": bannerLook,
    "looks/builders": buildersLook,
    "looks/curtain": curtainLook,
    "looks/fabric": fabric,
    "looks/flag": flagLook,
    "looks/paint": paint,
    "looks/resolutions": resolutionsLook,
    "looks/skirt": skirtLook,
    "looks/studio": studio,
    "looks/tablecloth": tableclothLook,
};
