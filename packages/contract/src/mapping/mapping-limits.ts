/** Bounds of a mapping (spec: mapping-bounds) and of the arrays it builds (rule 3). */
export const mappingLimits = {
  rows: 200,
  /** UTF-16 code units, after outer blanks are cut. */
  pathLength: 256,
  /** Objects and lists inside one another; a lone scalar has depth 0. */
  depth: 32,
  /** Elements that `[*]` may read or write in one row; an index in To is lower than this. */
  elements: 10_000,
  /** Elements that all rows together may read or write with `[*]`. */
  elementsOfAllRows: 200_000,
  /** UTF-8 bytes of the JSON text, going in and coming out. */
  bytes: 5 * 1024 * 1024,
} as const
