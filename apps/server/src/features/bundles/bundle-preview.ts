import type { BundlePreview, PreviewStep } from '@gatehouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import { can } from '../../kernel/caller.ts'
import type { CallContext } from '../../kernel/mount.ts'
import type { Bundle, BundleService } from './bundle-service.ts'
import { knownUrl } from '../runs/steps/known-url.ts'
import type { PlannedStep } from '../runs/steps/plan-steps.ts'
import { marksOf } from './preview-marks.ts'
import type { ArchivedRuns } from '../runs/ledger/reading/archived-runs.ts'
import type { RunHistoryStore } from '../runs/history/run-history-store.ts'
import { treeOf } from '../runs/steps/bodies/step-body.ts'

/**
 * Shows what a bundle would send. Makes the checks of sending; sends nothing and stores nothing.
 */
export class BundlePreviewer {
  readonly #bundles: BundleService
  readonly #history: RunHistoryStore
  readonly #archived: ArchivedRuns

  constructor(bundles: BundleService, history: RunHistoryStore, archived: ArchivedRuns) {
    this.#bundles = bundles
    this.#history = history
    this.#archived = archived
  }

  async preview(bundle: Bundle, context: CallContext): Promise<BundlePreview> {
    const planned = await this.#bundles.plan(bundle, context)
    const { caller } = context
    // Only a caller who may view every run sees what other users have sent.
    const ofUser = can(caller, 'run.view') ? undefined : caller.user.id
    const steps: PreviewStep[] = []
    for (const step of planned) steps.push(await this.#step(step, bundle.isTest, ofUser))
    return {
      is_test: bundle.isTest,
      is_dry_run: planned.some(({ isDry }) => isDry),
      steps,
    }
  }

  async #step(
    plan: PlannedStep,
    isTest: boolean,
    ofUser: number | undefined,
  ): Promise<PreviewStep> {
    const { target, source, request } = plan
    const accepted = await this.#history.findLastAccepted(target.endpointId, isTest, ofUser)
    const earlier = accepted ? await this.#bodyOf(accepted) : null
    const key = target.settings.idempotency_header
    return {
      position: plan.position,
      endpoint_id: target.endpointId,
      endpoint_name: target.name,
      method: target.method,
      effect: plan.effect,
      is_sent: !plan.isDry,
      url: knownUrl(plan),
      headers: { ...request?.headers, ...(key ? { [key]: '(a new UUID)' } : {}) },
      body: request ? request.body : source.text,
      takes: source.takes,
      last_accepted:
        accepted === undefined ? null : { run_id: accepted.run_id, at: accepted.frozen_at ?? '' },
      marks: marksOf(
        treeOf(source.format, source.text),
        earlier === null ? undefined : treeOf(source.format, earlier),
      ),
    }
  }

  /** What was sent earlier. Null where it is in the archive and can't be read back: then nothing is compared. */
  async #bodyOf(accepted: Accepted): Promise<string | null> {
    const here = accepted.source_body ?? accepted.body
    if (here !== null) return here
    try {
      const lines = await this.#archived.readWithOrigins(accepted.run_id)
      const step = lines.flatMap(({ steps }) => steps).find(({ id }) => id === accepted.id)
      return step?.source_body ?? step?.body ?? null
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }
}

type Accepted = NonNullable<Awaited<ReturnType<RunHistoryStore['findLastAccepted']>>>
