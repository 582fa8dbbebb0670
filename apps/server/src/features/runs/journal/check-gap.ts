import { randomUUID } from 'node:crypto'
import type { GapAnswer, GapResult } from '@gatehouse/contract'
import { allOf } from '../../../db/all-of.ts'
import type { AuthorityList, ReadAuthorityLists } from '../../../kernel/authority-lists.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { askStep } from '../actions/status-query/ask-step.ts'
import { auditAction } from '../actions/audit-action.ts'
import type { PermitsOf } from '../actions/permit-soon.ts'
import { loadRun, type StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import { asker } from '../pending/asker.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { Targets } from '../steps/target.ts'
import { enterFound } from './enter-found.ts'
import { isListed, ListedDocuments, submitsOf, type Submit } from './listed-documents.ts'
import { overtake } from './overtake.ts'

interface GapCheckerOptions {
  inTransaction: InTransaction
  targets: Targets
  sender: StepSender
  permitsOf: PermitsOf
  clock: Clock
  feed: RunFeed
  owner: string
}

/** One call asks about that many runs at most, and begins with none after this time. */
const askedMax = 100
const budgetMs = 10_000

/**
 * While the installation is held: asks about the document of each queued run whether the authority has it already, by the
 * status query, or by the list of a comparison since the backup. Where it has, the document counts as accepted and the run
 * leaves its lane. What such a list has and the ledger has not is entered as accepted too.
 */
export class GapChecker {
  readonly #options: GapCheckerOptions
  readonly #listed: ListedDocuments

  constructor(options: GapCheckerOptions) {
    this.#options = options
    this.#listed = new ListedDocuments(options)
  }

  /** Where the lists of the authorities come from. */
  reads(lists: ReadAuthorityLists): void {
    this.#listed.reads(lists)
  }

  /** Goes on after this run. Throws a 409 where nothing is held. */
  async check(after: number, context: CallContext): Promise<GapAnswer> {
    const { inTransaction, clock } = this.#options
    const until = clock.now().getTime() + budgetMs
    const { ids, since } = await inTransaction(async ({ installationHold, runs }) => {
      const hold = await installationHold.find()
      if (!hold) throw new AppError('installation.not_held')
      const queued = await runs.listQueuedWithReference(after, askedMax + 1)
      return { ids: queued, since: hold.backup_made_at }
    })
    const lists = await this.#listed.find(since, after === 0)
    const results: GapResult[] = []
    const isOver = () => clock.now().getTime() >= until || context.signal.aborted
    for (const id of ids) {
      if (results.length >= askedMax || (results.length > 0 && isOver())) break
      results.push(await this.#checkRun(id, lists, context))
    }
    if (results.length < ids.length)
      return { results, lists: [], next_after: results.at(-1)?.id ?? after }
    const entered = await this.#listed.enter(lists, isOver)
    const next_after = entered.isWhole ? null : (results.at(-1)?.id ?? after)
    return { results, lists: entered.isWhole ? entered.lists : [], next_after }
  }

  async #checkRun(
    id: number,
    lists: readonly AuthorityList[],
    context: CallContext,
  ): Promise<GapResult> {
    const { inTransaction } = this.#options
    const stored = await inTransaction(({ runs }) => loadRun(runs, id))
    const head = { id, reference: stored.run.reference ?? '' }
    try {
      return { ...head, ...(await this.#look(stored, lists, context)) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...head, outcome: 'unclear', message: error.message }
    }
  }

  async #look(
    stored: StoredRun,
    lists: readonly AuthorityList[],
    context: CallContext,
  ): Promise<Pick<GapResult, 'outcome' | 'message'>> {
    const { inTransaction } = this.#options
    const { run, steps, attemptsOf } = stored
    if (steps.some((step) => attemptsOf(step).length > 0))
      return { outcome: 'unclear', message: 'Something of it was sent before: look at the run.' }
    const submits = await submitsOf(this.#options.targets, stored.workflow?.definition.steps ?? [])
    const key = { ...keyOf(stored), reference: run.reference ?? '' }
    const known = await inTransaction(({ documents }) =>
      allOf(
        submits.map(({ target: { register } }) => documents.findByReference({ ...key, register })),
      ),
    )
    const holder = known.find((each) => each?.state === 'accepted')?.run_id ?? null
    if (holder !== null) {
      await inTransaction(
        (stores) => this.#overtake(stores, stored, holder, context),
        context.caller,
      )
      return { outcome: 'received', message: 'It is known to be accepted.' }
    }
    const listed = submits.find((submit) =>
      isListed({ ...stored.run, kind: keyOf(stored).kind }, submit, lists),
    )
    if (listed) {
      await this.#enter(stored, listed, undefined, context)
      return { outcome: 'received', message: 'The list of the authority has it.' }
    }
    const askable = submits.find(isAskable)
    if (!askable) return { outcome: 'no_query', message: 'No status query can be asked about it.' }
    const { said } = await this.#ask(stored, askable)
    if (said.verdict !== 'received') {
      return said.verdict === 'not_received'
        ? { outcome: 'not_received', message: 'The authority does not have it.' }
        : { outcome: 'unclear', message: 'The answer of the authority decides nothing.' }
    }
    await this.#enter(stored, askable, said.authorityReference, context)
    return { outcome: 'received', message: 'The authority has it.' }
  }

  #ask({ run }: StoredRun, { target }: Submit) {
    const { targets, sender, clock, permitsOf } = this.#options
    const step = { body: null, source_body: null }
    const how = {
      targets,
      caller: asker,
      right: undefined,
      sender,
      token: '',
      isTest: run.is_test === 1,
      askBy: run.reference ?? undefined,
    }
    return askStep(step, { own: target, clock, permitsOf, workflowId: run.workflow_id, how })
  }

  #enter(
    stored: StoredRun,
    { position, target }: Submit,
    authorityReference: string | undefined,
    context: CallContext,
  ): Promise<void> {
    const { inTransaction, owner, clock } = this.#options
    const { run } = stored
    const now = clock.now().toISOString()
    return inTransaction(async (stores) => {
      const found = await enterFound(
        stores,
        {
          at: now,
          ...keyOf(stored),
          test: run.is_test === 1,
          register: target.register,
          references: [run.reference ?? ''],
          run: run.id,
          run_kind: run.kind,
          step: position,
          endpoint: target.endpointId,
          uuid: randomUUID(),
          sha256: '',
        },
        { owner, now, received: { authorityReference } },
      )
      await this.#overtake(stores, stored, found, context)
    }, context.caller)
  }

  /** It leaves its lane: its document is accepted. */
  async #overtake(
    stores: Stores,
    { run }: StoredRun,
    by: number,
    context: CallContext,
  ): Promise<void> {
    const { clock, feed } = this.#options
    if (!(await overtake(stores, run, by, clock.now())))
      throw new AppError('run.in_progress', { retryAfterSeconds: 2 })
    await auditAction(stores, context, run, {
      action: 'run.cancel',
      step: null,
      before: { run_state: run.state },
      after: { run_state: 'cancelled', overtaken_by: by },
    })
    feed.changed(run.id)
  }
}

/** The document's reference is all that is known of it: nothing was sent that could name more. */
const isAskable = ({ target: { settings } }: Submit) =>
  settings.status_query !== null &&
  !settings.documents &&
  (settings.pending?.parameter_path ?? '') === ''

const keyOf = ({ run }: Pick<StoredRun, 'run'>) =>
  ({
    kind: run.kind === 'credit' ? 'credit' : 'tax',
    is_test: run.is_test,
  }) as const
