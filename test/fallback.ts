// Tests, surveys and benchmarks have the fallback's kernels from the start.
import "../src/solver/withFallback";
