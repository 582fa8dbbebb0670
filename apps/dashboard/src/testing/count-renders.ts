/** What is read of React's tree: its developer tools read the same. */
interface Fiber {
  type: unknown
  flags: number
  child: Fiber | null
  sibling: Fiber | null
  alternate: Fiber | null
}

interface Root {
  current: Fiber
}

const watchers = new Set<(root: Root) => void>()

// React looks for this once, when it is loaded: the set-up of the suite imports this file before anything else.
Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_: unknown, root: Root) => watchers.forEach((watch) => watch(root)),
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  },
})

/** Calls back at each commit, when its elements are in the document, until the work is done. */
export async function atEachCommit(look: (root: Root) => void, work: () => Promise<unknown>) {
  watchers.add(look)
  try {
    await work()
  } finally {
    watchers.delete(look)
  }
}

/** How often each component was drawn while this was done, by its name. */
export async function countRenders(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  await atEachCommit(({ current }) => countDrawn(current, current.alternate, counts), work)
  return counts
}

/** React's flag of a component that was called. */
const performedWork = 1

function countDrawn(fiber: Fiber, before: Fiber | null, counts: Map<string, number>) {
  const { type } = fiber
  if (typeof type === 'function' && (before === null || (fiber.flags & performedWork) !== 0))
    counts.set(type.name, (counts.get(type.name) ?? 0) + 1)
  // What was not drawn again has the same children.
  if (before !== null && fiber.child === before.child) return
  for (let child = fiber.child; child; child = child.sibling)
    countDrawn(child, child.alternate, counts)
}
