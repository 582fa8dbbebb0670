import type { Permission, RunDetail } from '@gatehouse/contract'
import { can, type Caller } from '../../../kernel/caller.ts'
import {
  mayCancel,
  mayClose,
  mayResolve,
  mayResume,
  mayRetry,
  type Allowed,
  type Refusal,
  type Surroundings,
} from '../actions/allowed-actions.ts'
import { lackingToSend, lackingWords } from '../actions/sender.ts'
import { rightOf, type StoredRun } from '../ledger/open-run.ts'
import { missingToAsk } from '../actions/status-query/status-query.ts'
import { isDone } from '../ledger/run-state.ts'
import type { StepRow } from '../ledger/run-store.ts'
import type { TargetLookup, Targets } from '../steps/target.ts'

/** The steps of a run, as it is shown to a caller. */
interface Shown {
  stored: StoredRun
  /** The endpoints as they are now, by position. */
  lookups: ReadonlyMap<number, TargetLookup>
  caller: Caller
}

type Offers = Pick<RunDetail, 'resume' | 'run_again' | 'correct' | 'close' | 'cancel'>

/** What the caller may do with a run. The calls themselves make the same checks. */
export function offersOf(shown: Shown, around: Surroundings): Offers {
  const { stored, caller } = shown
  const { steps } = stored
  const keptSteps = Math.max(
    0,
    steps.findIndex(({ state }) => state !== 'succeeded'),
  )
  const resume = offered(mayResume(stored, around), shown, ({ state }) => !isDone(state))
  const again = offered(mayRetry(stored, around, true), shown, () => true)
  const isCorrected = (step: StepRow) => steps.indexOf(step) >= keptSteps
  const correct = offered(mayRetry(stored, around, false), shown, isCorrected)
  const mayDecide = can(caller, 'run.resolve')
  const close = mayDecide ? mayClose(stored) : lacking('run.resolve')
  const cancel = mayDecide ? mayCancel(stored) : lacking('run.resolve')
  return {
    resume: { step: resume.ok ? (resume.step?.position ?? null) : null, refusal: wordsOf(resume) },
    run_again: { is_allowed: again.ok, refusal: wordsOf(again) },
    correct: { is_allowed: correct.ok, refusal: wordsOf(correct), kept_steps: keptSteps },
    close: { is_allowed: close.ok, refusal: wordsOf(close) },
    cancel: { is_allowed: cancel.ok, refusal: wordsOf(cancel) },
  }
}

/** The positions of the steps that the caller may settle: unknown, and with access to the endpoint. */
export async function resolvableSteps(targets: Targets, { stored, caller }: Shown) {
  const right = rightOf(stored)
  const found = new Set<number>()
  if (!can(caller, 'run.resolve')) return found
  for (const step of stored.steps) {
    if (!mayResolve(stored, step)) continue
    if (await targets.mayCall(step.endpoint_id, caller, right)) found.add(step.position)
  }
  return found
}

/** The steps whose status query the caller may call, by position, with the values that have to be typed for it. */
export async function askableSteps(targets: Targets, { stored, lookups, caller }: Shown) {
  const right = rightOf(stored)
  const found = new Map<number, string[]>()
  if (!can(caller, 'run.resolve')) return found
  for (const step of stored.steps) {
    const own = lookups.get(step.position)
    const asked = own?.ok ? (own.target.settings.status_query?.endpoint_id ?? null) : null
    if (!own?.ok || asked === null) continue
    if (!mayResolve(stored, step) && !isPending(stored, step)) continue
    const query = await targets.find(asked, caller, right)
    if (!query.ok) continue
    // What a pending step is asked by is kept with its poll.
    const attempts = stored.attemptsOf(step)
    const missing = isPending(stored, step)
      ? []
      : missingToAsk(step, own.target, query.target, { attempts, run: stored.run })
    found.set(step.position, missing)
  }
  return found
}

const wordsOf = (allowed: Allowed) => (allowed.ok ? null : allowed.message)

const isPending = ({ run }: StoredRun, step: StepRow) =>
  run.state === 'pending' && step.state === 'pending'

/**
 * An action that the run allows, or the refusal where the caller may not do it. `isSent` selects the
 * steps that the action would send.
 */
function offered<D extends Allowed>(
  allowed: D,
  { stored, lookups, caller }: Shown,
  isSent: (step: StepRow) => boolean,
): D | Refusal {
  if (!allowed.ok) return allowed
  const lacks = can(caller, 'run.resume') ? lackingToSend(stored, caller) : 'run.resume'
  if (lacks) return lacking(lacks)
  for (const step of stored.steps.filter(isSent)) {
    const lookup = lookups.get(step.position)
    if (lookup?.ok === false) return refused(`Step ${step.position}: ${lookup.message}`)
  }
  return allowed
}

const refused = (message: string): Refusal => ({ ok: false, code: 'permission.denied', message })
const lacking = (permission: Permission) => refused(lackingWords(permission))
