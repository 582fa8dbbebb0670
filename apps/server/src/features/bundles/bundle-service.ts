import type { CreditBundle, FieldErrors, RunSummary, TaxBundle } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { can } from '../../kernel/caller.ts'
import type { CallContext } from '../../kernel/mount.ts'
import { readKey } from '../runs/ledger/idempotency.ts'
import { planSteps, type PlannedStep, type StepInput } from '../runs/steps/plan-steps.ts'
import type { RunEngine } from '../runs/engine/run-engine.ts'
import type { RunStarter } from '../runs/engine/run-starter.ts'
import { answerOfRun } from '../runs/ledger/reading/run-summary.ts'
import type { Targets } from '../runs/steps/target.ts'

export interface BundleServiceOptions {
  targets: Targets
  summaryOf: (runId: number) => Promise<RunSummary>
  starter: RunStarter
  engine: RunEngine
}

export interface Bundle {
  kind: 'tax' | 'credit'
  isTest: boolean
  inputs: StepInput[]
  /** See `refuseWhileHeld`. */
  /** Healing looks after an unknown outcome. */
  heals: boolean
  confirmsHeld: boolean
}

/**
 * Sends tax and credit bundles: checks them whole, then carries them out while the caller waits.
 */
export class BundleService {
  readonly #options: BundleServiceOptions

  constructor(options: BundleServiceOptions) {
    this.#options = options
  }

  /** Throws 422 before anything is sent; 502 or 504 with the run where it did not succeed. */
  async send(bundle: Bundle, context: CallContext): Promise<{ message: string; run: RunSummary }> {
    const { summaryOf, starter, engine } = this.#options
    const key = readKey(context.header('idempotency-key'))
    const steps = await this.plan(bundle, context)
    const started = await starter.start({
      kind: bundle.kind,
      isTest: bundle.isTest,
      steps,
      key,
      isContentKey: true,
      confirmsHeld: bundle.confirmsHeld,
      heals: bundle.heals,
      caller: context.caller,
      requestId: context.requestId,
      from: context,
    })
    if (started.what === 'replay') context.setHeader('idempotent-replay', 'true')
    else await engine.carryOut(started.live)
    const runId = started.what === 'replay' ? started.runId : started.live.id
    return answerOfRun(await summaryOf(runId), context)
  }

  /** Plans what would be sent, with all checks of sending. */
  plan({ isTest, inputs }: Bundle, { caller }: CallContext): Promise<PlannedStep[]> {
    refuseUnlessTester(isTest, caller)
    return planSteps(inputs, { targets: this.#options.targets, caller, isTest })
  }
}

function refuseUnlessTester(isTest: boolean, caller: CallContext['caller']): void {
  if (!isTest || can(caller, 'tax.test')) return
  throw new AppError('permission.denied', {
    message: 'You do not have permission to do this (tax.test).',
  })
}

/** The bundle of a tax request; throws a 422 for gaps and unequal test flags. */
export function readTaxBundle(bundle: TaxBundle): Bundle {
  const { dependency_field, is_dependent, end_point } = bundle.endpoint_2
  const errors: FieldErrors = {}
  if (is_dependent && dependency_field === '' && end_point !== null)
    errors['endpoint_2.dependency_field'] = ['Name the fields that step 2 takes from step 1.']
  const { endpoint_1, endpoint_2, endpoint_3, endpoint_4 } = bundle
  const read = readEndpoints([endpoint_1, endpoint_2, endpoint_3, endpoint_4], errors)
  const second = read.inputs.find(({ position }) => position === 2)
  if (second && dependency_field !== '') second.dependencyField = dependency_field
  return { kind: 'tax', confirmsHeld: bundle.confirm_held, heals: bundle.heal, ...read }
}

/** The bundle of a credit request; throws a 422 for gaps and unequal test flags. */
export function readCreditBundle(bundle: CreditBundle): Bundle {
  const { endpoint_1, endpoint_2, endpoint_3, confirm_held: confirmsHeld, heal: heals } = bundle
  const read = readEndpoints([endpoint_1, endpoint_2, endpoint_3], {})
  return { kind: 'credit', confirmsHeld, heals, ...read }
}

type BundleEndpoint = CreditBundle['endpoint_1']

/** The steps up to the last that is chosen, and whether they are a test. */
function readEndpoints(
  endpoints: readonly BundleEndpoint[],
  errors: FieldErrors,
): Pick<Bundle, 'isTest' | 'inputs'> {
  const isTest = endpoints[0]?.test_invoice ?? false
  for (const [index, each] of endpoints.entries()) {
    if (each.end_point !== null && each.test_invoice !== isTest)
      errors[`endpoint_${index + 1}.test_invoice`] = [
        'A bundle is a test as a whole or not at all: the first endpoint says otherwise.',
      ]
  }
  return { isTest, inputs: readInputs(endpoints, errors) }
}

/**
 * Every blank endpoint before the last that is chosen is a gap. Throws with what was found before.
 */
function readInputs(endpoints: readonly BundleEndpoint[], errors: FieldErrors): StepInput[] {
  const last = endpoints.findLastIndex(({ end_point }) => end_point !== null)
  const inputs: StepInput[] = []
  for (const [index, { end_point, body, token }] of endpoints.entries()) {
    const position = index + 1
    if (end_point !== null) {
      inputs.push({ position, endpointId: end_point, body, token, dependencyField: null })
    } else if (index === 0 && last < 0) {
      errors['endpoint_1.end_point'] = ['Choose an endpoint.']
    } else if (index < last) {
      errors[`endpoint_${position}.end_point`] = [
        `Choose an endpoint: step ${last + 1} can't follow a gap.`,
      ]
    } else if (body.trim() !== '') {
      errors[`endpoint_${position}.end_point`] = ['Choose an endpoint for this body, or clear it.']
    }
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
  return inputs
}
