import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchStore } from './search-store.ts'
import type { IndexedRun } from './text-index-store.ts'
import { indexWords, type RunTexts } from './words/index-words.ts'

type Texts = Pick<SearchStore, 'listRuns' | 'listInputs' | 'listBodies' | 'listDocumentsOf'>

/** Runs whose words are read without a break: a few milliseconds. */
const withoutBreak = 10

/** The words of runs, as far as the runs are still there. */
export async function readRunWords(texts: Texts, ids: readonly number[]): Promise<IndexedRun[]> {
  if (ids.length === 0) return []
  const runs = await texts.listRuns(ids)
  const bodies = await bodiesOf(texts, ids)
  const documents = Map.groupBy(await texts.listDocumentsOf(ids), ({ run_id }) => run_id)
  const indexed: IndexedRun[] = []
  for (const run of runs) {
    const carried = documents.get(run.id) ?? []
    const names = [run.search_text, run.client_key, run.workflow_name, ...carried.flatMap(namesOf)]
    const words = indexWords({ names, bodies: bodies.get(run.id) ?? [] })
    const states = new Set([run.state, ...carried.map(({ state }) => `document${state}`)])
    indexed.push({ runId: run.id, words: [...words], states: [...states] })
    if (indexed.length % withoutBreak === 0) await nextTurn()
  }
  return indexed
}

interface Named {
  reference: string
  authority_reference: string | null
  original_reference: string | null
}

const namesOf = (document: Named) => [
  document.reference,
  document.authority_reference,
  document.original_reference,
]

/** The input of each run, then the bodies of its steps. */
export async function bodiesOf(
  texts: Pick<Texts, 'listInputs' | 'listBodies'>,
  ids: readonly number[],
): Promise<Map<number, RunTexts['bodies']>> {
  const all = [...(await texts.listInputs(ids)), ...(await texts.listBodies(ids))]
  const grouped = Map.groupBy(all, ({ run_id }) => run_id)
  return new Map([...grouped].map(([id, rows]) => [id, rows.map(({ body }) => body)]))
}
