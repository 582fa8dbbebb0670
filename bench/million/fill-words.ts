import { connect, type DatabaseSource } from '../../apps/server/src/db/connect.ts'
import { readRunWords } from '../../apps/server/src/features/search/run-words.ts'
import { isFoundByBeginning } from '../../apps/server/src/features/search/words/words-of-text.ts'
import { createStores, inTransactionOn } from '../../apps/server/src/stores.ts'

const clock = { now: () => new Date() }
const atOnce = 500

/** Reads the words of all runs at once, as the product's keeper does it in small steps. */
export async function fillWords(source: DatabaseSource): Promise<void> {
  const db = connect(source)
  try {
    const { search } = createStores(db, clock)
    const inTransaction = inTransactionOn(db, clock)
    const known = new Set<string>()
    let { below } = await search.progress()
    while (below > 1) {
      const ids = await search.listBelow(below, atOnce)
      const next = ids[0] ?? 0
      const runs = await readRunWords(search, ids)
      const words = new Set(runs.flatMap((run) => run.words).filter(isFoundByBeginning))
      const fresh = [...words.difference(known)]
      await inTransaction(async (stores) => {
        await stores.search.addWords(fresh)
        await stores.textIndex.put(runs)
        await stores.search.setProgress(next)
      })
      for (const word of fresh) known.add(word)
      below = next
    }
  } finally {
    await db.destroy()
  }
}
