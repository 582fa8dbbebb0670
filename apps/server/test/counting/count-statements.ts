import type { KyselyPlugin } from 'kysely'

/** Counts the statements that go through a database it is plugged into. */
export function countStatements() {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Not above: a statement that is built once passes there once.
    transformResult: ({ result }) => {
      count++
      return Promise.resolve(result)
    },
  }
  /** How many statements it took until the work was done; the answer of the work goes with it. */
  async function during<T>(work: () => Promise<T>): Promise<{ statements: number; answer: T }> {
    const before = count
    const answer = await work()
    return { statements: count - before, answer }
  }
  return { plugin, during }
}
