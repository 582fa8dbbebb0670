import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FirstSteps } from '@gatehouse/contract'
import { firstStepsQuery } from '../../entities/first-call/first-steps-query.ts'
import { call } from '../../lib/calls/call.ts'
import { useAction } from '../../lib/calls/define-resource.ts'
import { noteStepsOver } from './first-steps-shown.ts'

/** For a product that is in use they are not asked for again. */
export function useFirstSteps() {
  const query = useQuery(firstStepsQuery)
  const { data } = query
  useEffect(() => {
    if (data && !data.is_new) noteStepsOver()
  }, [data])
  return query
}

/** APIs and endpoints are fetched again too. */
export const useSampleService = () => useAction([], () => call('POST /api/first-steps/sample'))

export const stepNames = ['api', 'endpoint', 'access', 'token', 'call'] as const
export type StepName = (typeof stepNames)[number]

/** Which steps are done. An endpoint that asks for no token needs neither access nor a token. */
export function doneSteps(steps: FirstSteps): Record<StepName, boolean> {
  const isOpen = steps.endpoint?.is_guarded === false
  return {
    api: steps.api !== null,
    endpoint: steps.endpoint !== null,
    access: isOpen || steps.callers.length > 0,
    token: isOpen || (steps.has_token && steps.endpoint !== null),
    call: steps.has_call,
  }
}
