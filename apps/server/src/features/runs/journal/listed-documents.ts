import { randomUUID } from 'node:crypto'
import { effectOf, type GapAnswer, type WorkflowDefinition } from '@gatehouse/contract'
import { referenceKey } from '@gatehouse/contract/reference-key'
import { allOf } from '../../../db/all-of.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { AuthorityList, ReadAuthorityLists } from '../../../kernel/authority-lists.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { InTransaction } from '../../../stores.ts'
import type { RunRow } from '../ledger/run-store.ts'
import { asker } from '../pending/asker.ts'
import type { Target, Targets } from '../steps/target.ts'
import { enterFound, type Found } from './enter-found.ts'

interface ListedOptions {
  inTransaction: InTransaction
  targets: Targets
  clock: Clock
  owner: string
}

export interface Submit {
  position: number
  target: Target
}

/** Where a document of a list belongs. */
interface ListedPlace extends Submit {
  kind: 'tax' | 'credit'
}

/** For the pages of one look. */
const listsKeptMs = 60_000
/** References that are looked up at once. */
const knownAtOnce = 100

/** What the authorities of comparisons have since a backup, and what of it the ledger has not. */
export class ListedDocuments {
  readonly #options: ListedOptions
  #readLists: ReadAuthorityLists = async () => []
  /** What the authorities have, as it was asked last. */
  #listed: { at: number; lists: Promise<AuthorityList[]> } | undefined

  constructor(options: ListedOptions) {
    this.#options = options
  }

  /** Where the lists of the authorities come from. */
  reads(lists: ReadAuthorityLists): void {
    this.#readLists = lists
  }

  /** The first page of a look asks; the others have its answer, unless it is old. */
  find(since: string, isFirst: boolean): Promise<AuthorityList[]> {
    const nowMs = this.#options.clock.now().getTime()
    if (isFirst || !this.#listed || nowMs - this.#listed.at > listsKeptMs)
      this.#listed = { at: nowMs, lists: this.#readLists(since) }
    const { lists } = this.#listed
    lists.catch(() => (this.#listed = undefined))
    return lists
  }

  /** Enters what the authorities have and the ledger has not, as far as the workflow says what sends it. */
  async enter(lists: readonly AuthorityList[], isOver: () => boolean) {
    const counted: GapAnswer['lists'] = []
    for (const list of lists) {
      const { name, problem, references } = list
      let entered = 0
      const place = problem === null ? await this.#placeOf(list) : undefined
      for (let at = 0; place && at < references.length; at += knownAtOnce) {
        if (isOver()) return { isWhole: false, lists: counted }
        for (const reference of await this.#unknownOf(
          references.slice(at, at + knownAtOnce),
          place,
        ))
          if (await this.#enterOne(reference, place)) entered++
      }
      const message =
        problem ?? (place ? null : 'It names no workflow that submits, so nothing was entered.')
      counted.push({ name, listed: references.length, entered, message })
    }
    return { isWhole: true, lists: counted }
  }

  /** What a document of the list would have been sent by. */
  async #placeOf({ workflowId, register }: AuthorityList): Promise<ListedPlace | undefined> {
    if (workflowId === null) return undefined
    const workflow = await this.#options.inTransaction(({ workflows }) =>
      workflows.find(workflowId),
    )
    if (!workflow) return undefined
    const { steps } = JSON.parse(workflow.definition) as Pick<WorkflowDefinition, 'steps'>
    const submits = await submitsOf(this.#options.targets, steps)
    const submit = submits.find(({ target }) => ['', target.register].includes(register))
    return submit && { ...submit, kind: workflow.kind === 'credit' ? 'credit' : 'tax' }
  }

  #unknownOf(references: readonly string[], { kind, target }: ListedPlace): Promise<string[]> {
    const { register } = target
    return this.#options.inTransaction(async ({ documents }) => {
      const known = await allOf(
        references.map((reference) =>
          documents.findByReference({ register, kind, is_test: 0, reference }),
        ),
      )
      return references.filter((_, index) => known[index] === undefined)
    })
  }

  /** False where another call was faster. */
  async #enterOne(reference: string, { kind, position, target }: ListedPlace): Promise<boolean> {
    const { inTransaction, owner, clock } = this.#options
    const now = clock.now().toISOString()
    const found: Found = {
      at: now,
      kind,
      test: false,
      register: target.register,
      references: [reference],
      run: 0,
      run_kind: kind,
      step: position,
      endpoint: target.endpointId,
      uuid: randomUUID(),
      sha256: '',
    }
    try {
      await inTransaction((stores) =>
        enterFound(stores, found, { owner, now, received: { authorityReference: undefined } }),
      )
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return false
    }
  }
}

/** The steps that submit, as far as they can be found. */
export async function submitsOf(
  targets: Targets,
  steps: WorkflowDefinition['steps'],
): Promise<Submit[]> {
  const ids = steps.map(({ endpoint_id }) => endpoint_id)
  const found = await targets.findAll(ids, asker)
  const submits: Submit[] = []
  for (const [index, id] of ids.entries()) {
    const each = found.get(id)
    if (each?.ok && effectOf(each.target.settings, each.target.method) === 'submit')
      submits.push({ position: index + 1, target: each.target })
  }
  return submits
}

/** A list of the authority that covers the run names its document. */
export const isListed = (
  run: Pick<RunRow, 'is_test' | 'reference' | 'workflow_id'> & { kind: 'tax' | 'credit' },
  { target }: Submit,
  lists: readonly AuthorityList[],
): boolean =>
  run.is_test === 0 &&
  run.reference !== null &&
  lists.some(
    ({ workflowId, kind, register, references }) =>
      (workflowId === null || workflowId === run.workflow_id) &&
      (kind === '' || kind === run.kind) &&
      (register === '' || register === target.register) &&
      references.some((each) => referenceKey(each) === referenceKey(run.reference ?? '')),
  )
