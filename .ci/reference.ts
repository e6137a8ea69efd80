/** Every public name, for the site's reference: one leaf of its menu, since TypeDoc's branches have links within buttons. */
export * from "../src/index";
export * from "../src/loader";
export * from "../src/vrm";
