/** As many records as one call takes. */
const recordsAtOnce = 100

/** In parts that a call takes. */
export const inParts = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / recordsAtOnce) }, (_, at) =>
    items.slice(at * recordsAtOnce, (at + 1) * recordsAtOnce),
  )
