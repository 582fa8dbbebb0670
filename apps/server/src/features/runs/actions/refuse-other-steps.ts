import type { FieldErrors } from '@gatehouse/contract'
import { fieldError } from '../../../kernel/app-error.ts'
import type { StoredRun } from '../ledger/open-run.ts'
import type { StepRow } from '../ledger/run-store.ts'

/** Throws a 422 for steps that the run does not have: their input would be dropped. */
export function refuseOtherSteps(
  steps: readonly Pick<StepRow, 'position'>[],
  positions: Iterable<number>,
): void {
  const errors: FieldErrors = {}
  for (const position of positions) {
    if (!steps.some((step) => step.position === position))
      errors[`endpoint_${position}`] = [`This run has no step ${position}.`]
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
}

/**
 * Throws a 422 for fields to take from step 1 where the kind of run has none: only step 2 of a tax bundle
 * takes them. In other bundles the field is unknown.
 */
export function refuseOtherFields(
  { run }: StoredRun,
  corrections: ReadonlyMap<number, { dependencyField?: string | undefined }>,
): void {
  if (run.kind === 'tax' || corrections.get(2)?.dependencyField === undefined) return
  throw fieldError({
    'endpoint_2.dependency_field': [
      'There is no such field here. Known are body, token, end_point, test_invoice.',
    ],
  })
}

/** The values of the corrected run that a correction repeats. */
export interface Repeated {
  endpointId?: number | null | undefined
  isTest?: boolean | undefined
}

/** Throws a 422 for another endpoint or test flag than the run's: a correction changes neither. */
export function refuseOtherPlace(
  { run, steps }: StoredRun,
  repeated: ReadonlyMap<number, Repeated>,
): void {
  const errors: FieldErrors = {}
  for (const { position, endpoint_id } of steps) {
    const { endpointId, isTest } = repeated.get(position) ?? {}
    if ((endpointId ?? endpoint_id) !== endpoint_id)
      errors[`endpoint_${position}.end_point`] = [
        'A corrected run keeps its endpoints. Send a new run to another one.',
      ]
    if (isTest !== undefined && isTest !== (run.is_test === 1))
      errors[`endpoint_${position}.test_invoice`] = [
        'A corrected run stays what it was, a test or not. Send a new run.',
      ]
  }
  if (Object.keys(errors).length > 0) throw fieldError(errors)
}
