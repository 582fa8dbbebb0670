import { Select, Text } from '@mantine/core'
import type { ApiFormState } from './api-form-values.ts'
import { authorityProfiles } from './authority-profiles.ts'
import { fillProfile } from './fill-profile.ts'

const choices = Object.entries(authorityProfiles).map(([value, { label }]) => ({ value, label }))

interface ProfileSelectProps {
  form: ApiFormState
  isNew: boolean
}

/** Fills the form for an authority or an ERP. A new API gets its endpoints too. */
export function ProfileSelect({ form, isNew }: ProfileSelectProps) {
  const { profile } = form.values
  return (
    <div>
      <Select
        label="Fill in for"
        placeholder="Choose an authority or an ERP"
        data={choices}
        value={profile === '' ? null : profile}
        clearable
        onChange={(name) => form.setValues(fillProfile(form.values, name ?? '', { isNew }))}
      />
      <Text size="sm" c="dimmed" mt={4} aria-live="polite">
        {authorityProfiles[profile]?.hint}
      </Text>
    </div>
  )
}
