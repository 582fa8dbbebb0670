import { setImmediate as nextTurn } from 'node:timers/promises'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { textAt } from '@gatehouse/contract/answer-rule'
import { JsonProblem, parseExact } from '@gatehouse/contract/mapping'
import { inParts } from '../../kernel/in-parts.ts'
import { can, type Caller } from '../../kernel/caller.ts'
import type { Lists } from '../../kernel/lists.ts'
import type { Stores } from '../../stores.ts'
import { listOf, NotComparable } from './fetch-listed.ts'
import { compareLists, type Difference, type LedgerDocument } from './compare-lists.ts'
import { definitionOf, questionOf, spanOf, type Definition } from './reconciliation-parts.ts'
import type { ReconciliationRow, ResultRow } from './reconciliation-store.ts'

export interface ComparisonParts {
  stores: Pick<Stores, 'reconciliations'>
  lists: Lists
  callerOf: (userId: number) => Promise<Caller | undefined>
}

export type Comparison =
  | { state: 'failed' | 'refused'; message: string }
  | {
      state: 'done'
      differences: Difference[]
      counts: {
        erp: number
        ledger: number
        authority: number | null
        agreeing: number
        differing: number
      }
    }

/** More documents than these in a period are refused, and more lines are not stored. */
const documentsMax = 20_000
const readAtOnce = 200
const inputLimits = { maxBytes: 64 * 1024 * 1024, maxDepth: 200 }

/** Fetches the lists on behalf of the user who saved the comparison, and compares them with the ledger. */
export async function runComparison(
  parts: ComparisonParts,
  row: ReconciliationRow,
  result: ResultRow,
  signal: AbortSignal,
): Promise<Comparison> {
  try {
    return await compare(parts, row, result, signal)
  } catch (error) {
    if (error instanceof NotComparable) return { state: error.state, message: error.message }
    throw error
  }
}

async function compare(
  parts: ComparisonParts,
  row: ReconciliationRow,
  result: ResultRow,
  signal: AbortSignal,
): Promise<Comparison> {
  const caller = await parts.callerOf(row.user_id)
  if (!caller || !can(caller, 'reconciliation.run'))
    throw new NotComparable(
      'refused',
      `${row.user_name}, on whose behalf it runs, may not do that any more.`,
    )
  const definition = definitionOf(row.definition)
  const fetchList = (list: Definition['erp'], name: string) =>
    listOf(parts.lists, questionOf(list, result, row.time_zone), { caller, signal, name })
  const erp = await fetchList(definition.erp, 'ERP')
  const authority = definition.authority && (await fetchList(definition.authority, 'authority'))
  const span = spanOf(result, row.time_zone)
  const named = [...erp, ...(authority ?? [])].map(({ reference }) => reference)
  const ledger = await ledgerOf(parts.stores.reconciliations, definition, span, named)
  const { differences, agreeing, differing } = compareLists({ erp, ledger, authority })
  if (differences.length > documentsMax)
    throw new NotComparable(
      'failed',
      `There are ${differences.length} differences: check the settings.`,
    )
  const counts = {
    erp: erp.length,
    ledger: ledger.filter(({ isInPeriod }) => isInPeriod).length,
    authority: authority?.length ?? null,
    agreeing,
    differing,
  }
  return { state: 'done', differences, counts }
}

type Store = Stores['reconciliations']
type DocumentRow = Awaited<ReturnType<Store['listDocuments']>>[number]

/** The documents of the period, and those of other times that a list names. */
async function ledgerOf(
  store: Store,
  { kind, workflow_id: workflowId, register, amount_path }: Definition,
  span: { from: string; to: string },
  named: readonly string[],
): Promise<LedgerDocument[]> {
  const of = { kind, workflowId, register }
  const documents: LedgerDocument[] = []
  const toDocument = (row: DocumentRow, isInPeriod: boolean) => ({
    register: row.register,
    reference: row.reference,
    amount: amountOf(row.body, amount_path),
    state: row.state,
    document_id: row.id,
    run_id: row.run_id,
    isInPeriod,
  })
  for (let afterId = 0; ;) {
    const rows = await store.listDocuments({ ...of, ...span, afterId }, readAtOnce)
    documents.push(...rows.map((row) => toDocument(row, true)))
    if (documents.length > documentsMax)
      throw new NotComparable(
        'failed',
        `The period has more than ${documentsMax} documents: choose a shorter one.`,
      )
    afterId = rows.at(-1)?.id ?? 0
    if (rows.length < readAtOnce) break
    await nextTurn()
  }
  const known = new Set(documents.map(({ reference }) => referenceKey(reference)))
  const others = [...new Set(named.map(referenceKey))].filter((key) => !known.has(key))
  for (const some of inParts(others, readAtOnce)) {
    const rows = await store.listByReference(of, some)
    documents.push(...rows.map((row) => toDocument(row, false)))
    await nextTurn()
  }
  refuseTwo(documents)
  return documents
}

/** A reference in two registers is two documents: an element of a list could mean either. */
function refuseTwo(documents: readonly LedgerDocument[]): void {
  const seen = new Map<string, string>()
  for (const { reference, register } of documents) {
    const other = seen.get(referenceKey(reference))
    if (other !== undefined && other !== register)
      throw new NotComparable(
        'failed',
        `The document ${reference} is in the registers ${other} and ${register}: choose one of them.`,
      )
    seen.set(referenceKey(reference), register)
  }
}

function amountOf(body: string | null, path: string): string | null {
  if (body === null || path === '') return null
  try {
    return textAt(parseExact(body, inputLimits), path) ?? null
  } catch (error) {
    // It was archived.
    if (error instanceof JsonProblem) return null
    throw error
  }
}
