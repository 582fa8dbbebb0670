import type { SearchHit, SearchKind } from '@gatehouse/contract'
import { inOrderOf } from '../../db/listing.ts'
import type { Candidates, Question, SearchStores } from './find-candidates.ts'
import { bodiesOf } from './run-words.ts'
import { markedPieces, partIn, readTexts } from './snippet.ts'

type Shown = Omit<SearchHit, 'is_exact' | 'kind'>

/** Reads what is shown of one page of hits, in their order. */
export async function presentHits(
  kind: SearchKind,
  stores: SearchStores,
  question: Question,
  { ids, exact }: Pick<Candidates, 'ids' | 'exact'>,
): Promise<SearchHit[]> {
  if (ids.length === 0) return []
  const shown = await presenters[kind](stores, question, ids)
  const isNamed = ({ title }: Shown) => title.toLowerCase() === question.text.toLowerCase()
  return inOrderOf(ids, shown).map((hit) => ({
    kind,
    ...hit,
    is_exact: exact.has(hit.id) || isNamed(hit),
  }))
}

const presenters: Record<
  SearchKind,
  (stores: SearchStores, question: Question, ids: readonly number[]) => Promise<Shown[]>
> = {
  run: async ({ search, searchHits }, { query, text }, ids) => {
    const bodies = await bodiesOf(search, ids)
    const rows = await searchHits.showRuns(ids)
    const registers = await searchHits.registersOf(ids)
    return rows.map((run) => {
      const { amount, snippet } = readTexts(bodies.get(run.id) ?? [], query)
      return {
        id: run.id,
        title: run.reference ?? '',
        state: run.state,
        registers: registers.get(run.id) ?? [],
        is_test: run.is_test === 1,
        at: run.created_at,
        workflow: workflowOf(run),
        amount,
        snippet: partIn('reference', run.reference, text) ?? snippet,
      }
    })
  },
  document: async ({ search, searchHits }, { query, text }, ids) => {
    const rows = await searchHits.showDocuments(ids)
    const bodies = await bodiesOf(
      search,
      rows.flatMap(({ run_id }) => run_id ?? []),
    )
    return rows.map((row) => {
      const { amount, snippet } = readTexts(bodies.get(row.run_id ?? 0) ?? [], query, row.reference)
      const part = (name: 'reference' | 'authority_reference' | 'original_reference') =>
        partIn(name, row[name], text)
      return {
        id: row.id,
        title: row.reference,
        state: row.state,
        registers: [row.register],
        is_test: row.is_test === 1,
        at: row.created_at,
        workflow: null,
        amount,
        snippet:
          part('reference') ?? part('authority_reference') ?? part('original_reference') ?? snippet,
      }
    })
  },
  batch: async ({ searchHits }, { query }, ids) => {
    const rows = await searchHits.showBatches(ids)
    return rows.map((batch) => ({
      id: batch.id,
      title: batch.file_name,
      state: null,
      registers: [],
      is_test: batch.is_test === 1,
      at: batch.created_at,
      workflow: workflowOf(batch),
      amount: null,
      snippet: { path: 'file_name', pieces: markedPieces(batch.file_name, query) },
    }))
  },
  workflow: async ({ searchHits }, { query }, ids) => {
    const rows = await searchHits.showWorkflows(ids)
    return rows.map((row) => ({
      id: row.id,
      title: row.name,
      state: row.status,
      registers: [],
      is_test: false,
      at: row.created_at,
      workflow: null,
      amount: null,
      snippet: { path: 'slug', pieces: markedPieces(row.slug, query) },
    }))
  },
}

function workflowOf(row: { workflow_id: number | null; workflow_name: string | null }) {
  return row.workflow_id === null ? null : { id: row.workflow_id, name: row.workflow_name ?? '' }
}
