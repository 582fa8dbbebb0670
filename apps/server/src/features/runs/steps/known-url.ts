import { hasQueryBody } from '@gatehouse/contract/request'
import { endpointUrl } from '@gatehouse/upstream/request'
import { requestTargetOf } from './freeze-request.ts'
import type { PlannedStep } from './plan-steps.ts'

/** Where a step will go, as far as that is known; null: it depends on earlier answers, or the step is skipped. */
export function knownUrl({ request, target, skipped }: PlannedStep): string | null {
  if (request) return request.url
  const { kind, address, method, path } = requestTargetOf(target)
  if (skipped !== undefined) return null
  if (kind === 'procedure') return address
  // Fields of the body fill the path, and are the query of a GET.
  if (hasQueryBody(method) || path.includes('{')) return null
  const found = endpointUrl({ baseUrl: address, path, fields: {} })
  return found.ok ? found.url.href : null
}
