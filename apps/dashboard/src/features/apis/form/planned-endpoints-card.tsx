import { Checkbox, Stack } from '@mantine/core'
import { runProfiles } from '@gatehouse/contract/run-profiles'
import { FormCard } from '../../../ui/form/form-card.tsx'
import type { ApiFormState } from './api-form-values.ts'
import { authorityProfiles } from './authority-profiles.ts'

interface PlannedEndpointsCardProps {
  form: ApiFormState
  /** The user may create endpoints. */
  canCreate: boolean
}

/** The endpoints that a profile creates together with a new API. */
export function PlannedEndpointsCard({ form, canCreate }: PlannedEndpointsCardProps) {
  const { profile, endpoints } = form.values
  const title = `Endpoints for ${authorityProfiles[profile]?.label ?? ''}`
  if (!canCreate) {
    return (
      <FormCard title={title} description="Your roles do not let you create endpoints.">
        {null}
      </FormCard>
    )
  }
  return (
    <FormCard
      title={title}
      description="Created together with the API, with the run settings of the profile. You can change them afterwards."
    >
      <Stack component="fieldset" gap="sm" aria-label={title} m={0} p={0} miw={0} bd={0}>
        {endpoints.map(({ method_type, path, summery, runProfile, isChosen }, at) => (
          <Checkbox
            key={path}
            label={`${summery}: ${method_type.toUpperCase()} ${path}`}
            description={titleOf(runProfile)}
            checked={isChosen}
            onChange={(event) =>
              form.setFieldValue(`endpoints.${at}.isChosen`, event.currentTarget.checked)
            }
            styles={{ body: { alignItems: 'flex-start' }, label: { overflowWrap: 'anywhere' } }}
          />
        ))}
      </Stack>
    </FormCard>
  )
}

const titleOf = (name: string) => {
  const found = runProfiles.find((each) => each.name === name)
  return found ? `Run settings: ${found.title}` : 'Run settings: as HTTP means it'
}
