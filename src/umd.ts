/** What script tags get: the barrel, with files. */
import "./files";

export * from "./index";
