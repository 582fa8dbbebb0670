import { randomUUID } from 'node:crypto'
import { effectOf, type GapAnswer, type GapResult } from '@gatehouse/contract'
import { allOf } from '../../../db/all-of.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import { askStep } from '../actions/ask-step.ts'
import { auditAction } from '../actions/audit-action.ts'
import type { PermitsOf } from '../actions/permit-soon.ts'
import { removeFromLane } from '../ledger/leave-lane.ts'
import { loadRun, type StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/run-feed.ts'
import { asker } from '../pending/asker.ts'
import type { StepSender } from '../steps/step-sender.ts'
import type { Target, Targets } from '../steps/target.ts'
import { enterFound } from './enter-found.ts'

interface GapCheckerOptions {
  inTransaction: InTransaction
  targets: Targets
  sender: StepSender
  permitsOf: PermitsOf
  clock: Clock
  feed: RunFeed
  owner: string
}

interface Submit {
  position: number
  target: Target
}

/** One call asks about that many runs at most, and begins with none after this time. */
const askedMax = 100
const budgetMs = 10_000

/**
 * While the installation is held: asks about the document of each queued run whether the authority has it already.
 * Where it has, the document counts as accepted and the run leaves its lane.
 */
export class GapChecker {
  readonly #options: GapCheckerOptions

  constructor(options: GapCheckerOptions) {
    this.#options = options
  }

  /** Goes on after this run. Throws a 409 where nothing is held. */
  async check(after: number, context: CallContext): Promise<GapAnswer> {
    const { inTransaction, clock } = this.#options
    const until = clock.now().getTime() + budgetMs
    const ids = await inTransaction(async ({ installationHold, runs }) => {
      if (!(await installationHold.isHeld())) throw new AppError('installation.not_held')
      return runs.listQueuedWithReference(after, askedMax + 1)
    })
    const results: GapResult[] = []
    for (const id of ids) {
      const isOver = results.length > 0 && clock.now().getTime() >= until
      if (results.length >= askedMax || isOver || context.signal.aborted) break
      results.push(await this.#checkRun(id, context))
    }
    const isLeft = results.length < ids.length
    return { results, next_after: isLeft ? (results.at(-1)?.id ?? after) : null }
  }

  async #checkRun(id: number, context: CallContext): Promise<GapResult> {
    const { inTransaction } = this.#options
    const stored = await inTransaction(({ runs }) => loadRun(runs, id))
    const head = { id, reference: stored.run.reference ?? '' }
    try {
      return { ...head, ...(await this.#look(stored, context)) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { ...head, outcome: 'unclear', message: error.message }
    }
  }

  async #look(
    stored: StoredRun,
    context: CallContext,
  ): Promise<Pick<GapResult, 'outcome' | 'message'>> {
    const { inTransaction } = this.#options
    const { run, steps, attemptsOf } = stored
    if (steps.some((step) => attemptsOf(step).length > 0))
      return { outcome: 'unclear', message: 'Something of it was sent before: look at the run.' }
    const submits = await this.#submitsOf(stored)
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

  /** Its steps that submit, as far as they can be found. */
  async #submitsOf({ workflow }: StoredRun): Promise<Submit[]> {
    const steps = workflow?.definition.steps ?? []
    const submits: Submit[] = []
    for (const [index, { endpoint_id }] of steps.entries()) {
      const found = await this.#options.targets.find(endpoint_id, asker)
      if (found.ok && effectOf(found.target.settings, found.target.method) === 'submit')
        submits.push({ position: index + 1, target: found.target })
    }
    return submits
  }

  #ask({ run }: StoredRun, { target }: Submit) {
    const { targets, sender, clock, permitsOf } = this.#options
    const step = { endpoint_id: target.endpointId, body: null, source_body: null }
    const how = {
      targets,
      caller: asker,
      right: undefined,
      sender,
      token: '',
      isTest: run.is_test === 1,
      askBy: run.reference ?? undefined,
    }
    return askStep(step, { clock, permitsOf, workflowId: run.workflow_id, how })
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
    const isOurs = await stores.runs.moveRun(run, {
      state: 'cancelled',
      epoch: run.epoch + 1,
      finished_at: clock.now().toISOString(),
      overtaken_by: by,
    })
    if (!isOurs) throw new AppError('run.in_progress', { retryAfterSeconds: 2 })
    const entry = await stores.lanes.findEntry(run.id)
    if (entry) await removeFromLane(stores, entry)
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

const keyOf = ({ run }: StoredRun) =>
  ({
    kind: run.kind === 'credit' ? 'credit' : 'tax',
    is_test: run.is_test,
  }) as const
