/** A module's own text, for the source drawer. */
declare module "*?raw" {
    const text: string;
    export default text;
}

/** A model's URL. */
declare module "*.glb" {
    const url: string;
    export default url;
}
