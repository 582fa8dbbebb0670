import { runProfiles } from '@gatehouse/contract/run-profiles'
import type { PlannedEndpoint } from '../../entities/endpoint/planned-endpoint.ts'
import { newEndpointValues, toEndpointInput } from './endpoint-form-values.ts'
import type { EndpointInput } from './endpoint-queries.ts'
import { toRunSettingsDraft } from './run-settings-draft.ts'

/** An endpoint as its form would send it, with the run settings of the profile. */
export function toPlannedInput(apiId: number, planned: PlannedEndpoint): EndpointInput {
  const { method_type, path, summery, runProfile } = planned
  const profile = runProfiles.find(({ name }) => name === runProfile)
  return toEndpointInput({
    ...newEndpointValues,
    method_type,
    path,
    summery,
    description: profile?.title ?? summery,
    api_id: String(apiId),
    ...(profile ? { run_settings: toRunSettingsDraft(profile.settings) } : {}),
  })
}
