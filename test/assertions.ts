// Runs around every test: one that asserts nothing fails.
import { beforeEach, expect } from "@jest/globals";

beforeEach(() => expect.hasAssertions());
