/** What script tags get: the barrel, with files and the fallback's kernels. */
import "./files";
import "./solver/withParts";

export * from "./index";
