import { defaultRunSettings, storedRunSettings, type RunSettings } from '@gatehouse/contract'
import { AppError, fieldError } from '../../kernel/app-error.ts'
import type { EndpointRow, EndpointStore } from './endpoint-store.ts'

/**
 * The run settings of a stored endpoint. Settings that an earlier release stored get
 * defaults for the fields that it did not have.
 */
export function runSettingsOf(row: Pick<EndpointRow, 'run_settings'>): RunSettings {
  return row.run_settings === null
    ? defaultRunSettings
    : storedRunSettings.parse(JSON.parse(row.run_settings))
}

/** Absent settings keep the stored ones. */
export function storedColumns(settings: RunSettings | undefined) {
  if (settings === undefined) return {}
  return {
    run_settings: JSON.stringify(settings),
    status_endpoint_id: settings.status_query?.endpoint_id ?? null,
  }
}

/**
 * A status query asks an active GET endpoint: asking must not change anything. An endpoint that was
 * asked before may have been disabled since; that does not prevent other changes.
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
  if (asked.status !== 'active' && id !== stored?.status_endpoint_id) {
    throw refuse('This endpoint is disabled.')
  }
}

/** An endpoint that status queries of others call stays a GET. */
export async function refuseUnfitMethod(
  endpoints: EndpointStore,
  id: number,
  method: EndpointRow['method_type'],
): Promise<void> {
  const askers = method === 'get' ? [] : await endpoints.listAskers(id)
  if (askers.length === 0) return
  throw fieldError({
    method_type: [`${namesOf(askers)} asks this endpoint for a status, so it must stay a GET.`],
  })
}

export function inUse(askers: readonly { summary: string }[]): AppError {
  return new AppError('endpoint.in_use', {
    message: `${namesOf(askers)} asks this endpoint what became of a document. Change its run settings first.`,
  })
}

const namesOf = (askers: readonly { summary: string }[]) =>
  askers.map(({ summary }) => `“${summary}”`).join(', ')
