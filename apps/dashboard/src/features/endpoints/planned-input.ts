import { runProfiles, type RunProfile } from '@gatehouse/contract/run-profiles'
import type { PlannedEndpoint } from '../../entities/endpoint/planned-endpoint.ts'
import { newEndpointValues, toEndpointInput } from './endpoint-form-values.ts'
import type { EndpointInput } from './endpoint-queries.ts'
import {
  defaultRunSettingsDraft,
  toRunSettingsDraft,
  withProfile,
  type RunSettingsDraft,
} from './run-settings/run-settings-draft.ts'

/**
 * An endpoint as its form would send it, with the run settings of the profile. What an authority decides
 * later is asked of the endpoint `askedId`; without one the answer to the submit is all that counts.
 */
export function toPlannedInput(
  apiId: number,
  planned: PlannedEndpoint,
  askedId?: number,
): EndpointInput {
  const { method_type, path, summery, runProfile } = planned
  const profile = runProfiles.find(({ name }) => name === runProfile)
  return toEndpointInput({
    ...newEndpointValues,
    method_type,
    path,
    summery,
    description: profile?.title ?? summery,
    api_id: String(apiId),
    ...(profile ? { run_settings: settingsOf(profile, askedId) } : {}),
  })
}

function settingsOf(profile: RunProfile, askedId: number | undefined): RunSettingsDraft {
  if (!profile.later || askedId === undefined) return toRunSettingsDraft(profile.settings)
  const filled = withProfile(defaultRunSettingsDraft, profile)
  return { ...filled, status_query: { ...filled.status_query, endpoint_id: String(askedId) } }
}
