import type { RunSettings, SaidOfDocument, Verdict } from '@gatehouse/contract'
import { AppError, fieldError } from '../../../kernel/app-error.ts'
import type { CallContext } from '../../../kernel/mount.ts'
import type { InTransaction, Stores } from '../../../stores.ts'
import type { ArchivedRuns } from '../ledger/reading/archived-runs.ts'
import { loadRun, rightOf, type StoredRun } from '../ledger/open-run.ts'
import type { RunFeed } from '../ledger/reading/run-feed.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { beginPoll } from '../pending/begin-poll.ts'
import type { DocumentVerdicts } from '../steps/documents/judge-documents.ts'
import type { Targets } from '../steps/target.ts'
import { needsSubmission, receivedAsks } from '../verdicts/received-asks.ts'
import { sayOfEach } from '../verdicts/say-of-each.ts'
import { watchVerdict } from '../verdicts/watch-verdict.ts'
import { auditStep, saidBy, stepOf, StepSettler, type StepSettlerOptions } from './settle-step.ts'

interface RunResolverOptions extends StepSettlerOptions {
  archived: ArchivedRuns
  targets: Targets
  inTransaction: InTransaction
  feed: RunFeed
}

interface Resolution {
  step: number
  verdict: Verdict | 'by_document'
  reference: string
  /** The authority's number of what was sent. */
  submission?: string
  documents?: SaidOfDocument[] | undefined
  note: string
}

/** What is written, and what is said about it. */
interface Plan {
  kind: 'resolved_received' | 'resolved_not_received'
  state: 'succeeded' | 'waiting' | 'pending'
  each?: { verdicts: DocumentVerdicts; step: StepRow['state'] }
  reference: string
  message: string
  answer: string
}

/** Settles a step whose outcome is unknown, by the decision of a person. */
export class RunResolver {
  readonly #options: RunResolverOptions
  readonly #settler: StepSettler

  constructor(options: RunResolverOptions) {
    this.#options = options
    this.#settler = new StepSettler(options)
  }

  /** Of two people at once, one settles the step. The other gets a 409 with the current run. */
  async resolve(runId: number, resolution: Resolution, context: CallContext) {
    const { inTransaction, feed, targets } = this.#options
    await this.#options.archived.bringBack(runId)
    const stored = await inTransaction(({ runs }) => loadRun(runs, runId))
    const step = stepOf(stored, resolution.step)
    const right = rightOf(stored)
    if (!(await targets.mayCall(step.endpoint_id, context.caller, right))) {
      const what = right ? 'workflow of this run' : 'endpoint of this step'
      throw new AppError('permission.denied', {
        message: `None of your roles has access to the ${what}.`,
      })
    }
    const found = await targets.find(step.endpoint_id, context.caller, right)
    const settings = found.ok ? found.target.settings : undefined
    const { run, answer } = await inTransaction(async (stores) => {
      const links = await stores.documents.listOfStep(runId, step.position)
      const who = context.caller.user.name
      const plan = planOf(resolution, { step, links, settings, who })
      const { kind, state, each, reference, message } = plan
      await this.#settler.settle(stores, stored, step, {
        caller: context.caller,
        kind,
        state,
        reference,
        message,
        ...(each ? { each } : {}),
        attempt: { note: resolution.note || null, reference: reference || null },
      })
      if (state === 'pending') await this.#poll(stores, stored, step, reference, settings)
      if (isDenied(resolution))
        await watchVerdict(stores, stored, step, {
          target: found.ok ? found.target : undefined,
          at: this.#options.clock.now(),
        })
      const { verdict, note, documents } = resolution
      const run = await auditStep(stores, stored, step, context, {
        action: 'run.resolve',
        after: {
          verdict,
          ...(reference ? { reference } : {}),
          ...(documents ? { documents } : {}),
          ...(note ? { note } : {}),
        },
      })
      return { run, answer: plan.answer }
    }, context.caller)
    feed.changed(runId)
    return { message: answer, run }
  }

  /** From the commit on the authority is asked for its decision. */
  #poll(
    stores: Stores,
    { run }: StoredRun,
    step: StepRow,
    submission: string,
    settings: RunSettings | undefined,
  ): Promise<void> {
    return beginPoll(stores, {
      runId: run.id,
      stepId: step.id,
      endpointId: step.endpoint_id,
      isTest: run.is_test === 1,
      askBy: submission || undefined,
      settings: settings?.pending ?? null,
      at: this.#options.clock.now(),
    })
  }
}

const isDenied = ({ verdict, documents = [] }: Resolution) =>
  verdict === 'not_received' || documents.some((each) => each.verdict === 'not_received')

interface Facts {
  step: StepRow
  links: Awaited<ReturnType<Stores['documents']['listOfStep']>>
  settings: RunSettings | undefined
  who: string
}

/** Throws a 422 where more has to be said: no document is accepted unseen. */
function planOf(resolution: Resolution, facts: Facts): Plan {
  const { step, links, who } = facts
  if (resolution.verdict === 'by_document') {
    const said = sayOfEach(step, links, resolution.documents ?? [], who)
    if (!said) return notReceived(who)
    const left = said.left === 1 ? '1 document is' : `${said.left} documents are`
    return {
      kind: 'resolved_received',
      state: 'succeeded',
      each: said,
      reference: '',
      message: `${who} says what became of its documents.`,
      answer: said.left === 0 ? 'Every document is decided.' : `${left} still unknown.`,
    }
  }
  return resolution.verdict === 'received' ? received(resolution, facts) : notReceived(who)
}

const notReceived = (who: string): Plan => ({
  kind: 'resolved_not_received',
  state: 'waiting',
  reference: '',
  message: saidBy(who, false),
  answer: 'The step counts as not received: it can be sent again.',
})

function received(
  { reference, submission = '' }: Resolution,
  { links, settings, who }: Facts,
): Plan {
  const kind = 'resolved_received'
  const asks = receivedAsks(settings, links.length)
  if (asks === 'nothing')
    return {
      kind,
      state: 'succeeded',
      reference,
      message: saidBy(who, true),
      answer: 'The step counts as received.',
    }
  if (asks === 'documents' || !settings)
    throw fieldError({ verdict: ['Say what became of each document.'] })
  if (submission === '' && needsSubmission(settings, links.length))
    throw fieldError({
      submission: [
        'Type the number that the authority gave this submission, or say what became of each document.',
      ],
    })
  return {
    kind,
    state: 'pending',
    reference: submission,
    message: `${who} says that it was received: the authority is asked for its decision.`,
    answer: 'The authority is asked for its decision.',
  }
}
