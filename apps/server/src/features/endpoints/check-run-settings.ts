import { effectOf, type EndpointDefinition, type RunSettings } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import { runSettingsOf } from './endpoint-columns.ts'
import type { EndpointRow, EndpointStore } from './endpoint-store.ts'

/**
 * A status query asks an active GET endpoint whose effect is `read`: asking must not change anything.
 * An endpoint that was asked before may have been disabled since; that does not prevent other changes.
 */
export async function refuseUnusableStatusQuery(
  endpoints: EndpointStore,
  settings: RunSettings | undefined,
  stored?: EndpointRow,
): Promise<void> {
  const id = settings?.status_query?.endpoint_id ?? null
  if (id === null) return
  const asked = await endpoints.find(id)
  const refuse = (problem: string) =>
    fieldError({ 'run_settings.status_query.endpoint_id': [problem] })
  if (!asked || id === stored?.id) throw refuse('Choose another endpoint from the list.')
  if (asked.method_type !== 'get') {
    throw refuse('A status query only reads: choose an endpoint with the method GET.')
  }
  if (effectOf(runSettingsOf(asked), 'GET') !== 'read') {
    throw refuse('A status query only reads: the effect of this endpoint is not “read”.')
  }
  if (asked.status !== 'active' && id !== stored?.status_endpoint_id) {
    throw refuse('This endpoint is disabled.')
  }
}

/** An endpoint that status queries of others call stays a GET with the effect `read`. */
export async function refuseUnfitForAskers(
  endpoints: EndpointStore,
  id: number,
  { method_type, run_settings }: Pick<EndpointDefinition, 'method_type' | 'run_settings'>,
): Promise<void> {
  const isGet = method_type === 'get'
  const isRead = run_settings === undefined || effectOf(run_settings, 'GET') === 'read'
  if (isGet && isRead) return
  const askers = await endpoints.listAskers(id)
  if (askers.length === 0) return
  const asks = `${namesOf(askers)} asks this endpoint for a status, so`
  throw fieldError({
    ...(isGet ? {} : { method_type: [`${asks} it must stay a GET.`] }),
    ...(isRead ? {} : { 'run_settings.effect': [`${asks} its effect must stay “read”.`] }),
  })
}

export function inUse(askers: readonly { summary: string }[]): AppError {
  return new AppError('endpoint.in_use', {
    message: `${namesOf(askers)} asks this endpoint what became of a document. Change its run settings first.`,
  })
}

const namesOf = (askers: readonly { summary: string }[]) =>
  askers.map(({ summary }) => `“${summary}”`).join(', ')
