/** Bounds of a mapping (spec: mapping-bounds) and of the arrays it builds (rule 3). */
export const mappingLimits = {
  rows: 200,
  /** UTF-16 code units, after outer blanks are cut. */
  pathLength: 256,
  /** UTF-16 code units of a From that is a function. */
  expressionLength: 2000,
  /** Functions inside one another. */
  expressionDepth: 16,
  /** UTF-16 code units that functions take and give in all rows together; a call counts for 64. */
  functionCharacters: 16_000_000,
  /** Objects and lists inside one another; a lone scalar has depth 0. */
  depth: 32,
  /** Elements that `[*]` may read or write in one row; an index in To is lower than this. */
  elements: 10_000,
  /** Elements that all rows together may read or write with `[*]`. */
  elementsOfAllRows: 200_000,
  /** UTF-8 bytes of the JSON text, going in and coming out. */
  bytes: 5 * 1024 * 1024,
} as const
