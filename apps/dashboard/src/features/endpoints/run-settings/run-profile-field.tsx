import { Anchor, Badge, Group, Select, Stack, Text } from '@mantine/core'
import {
  runProfiles,
  type ProfileSource,
  type RunProfile,
  type SourceStanding,
} from '@gatehouse/contract/run-profiles'
import { Disclosure } from '../../../ui/page/disclosure.tsx'
import type { EndpointFormState } from '../endpoint-form-values.ts'
import { profileChoices } from './run-settings-words.ts'
import { defaultRunSettingsDraft, isSameRunSettings, withProfile } from './run-settings-draft.ts'

/** Chooses a profile, which fills the fields below, and says where its rules come from. */
export function RunProfileField({ form }: { form: EndpointFormState }) {
  const draft = form.values.run_settings
  const profile = runProfiles.find(({ name }) => name === draft.profile)

  function handleChange(name: string | null) {
    const chosen = runProfiles.find((each) => each.name === name)
    form.setFieldValue(
      'run_settings',
      chosen ? withProfile(draft, chosen) : defaultRunSettingsDraft,
    )
  }

  return (
    <Stack gap="xs">
      <Select
        label="Fill in for"
        description="A profile fills the fields below. You can change any of them afterwards."
        data={profileChoices}
        allowDeselect={false}
        {...form.getInputProps('run_settings.profile')}
        onChange={handleChange}
      />
      {profile && (
        <Text size="sm" c="dimmed">
          {profile.summary}
          {!isSameRunSettings(draft, withProfile(draft, profile)) &&
            ' The fields below differ from the profile.'}
        </Text>
      )}
      {profile && <Sources profile={profile} />}
    </Stack>
  )
}

function Sources({ profile }: { profile: RunProfile }) {
  return (
    <Disclosure title="Where these rules come from">
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {profile.sources.map((source) => (
          <Source key={source.about + source.says} source={source} />
        ))}
      </Stack>
    </Disclosure>
  )
}

const standingColors: Record<SourceStanding, string> = {
  documented: 'green',
  reported: 'petrol',
  inferred: 'orange',
}

function Source({ source: { about, standing, says, title, url } }: { source: ProfileSource }) {
  return (
    <li>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {about}
        </Text>
        <Badge color={standingColors[standing]}>{standing}</Badge>
      </Group>
      <Text size="sm">{says}</Text>
      {url !== undefined && (
        <Anchor size="sm" href={url} target="_blank" rel="noreferrer">
          {title ?? url}
        </Anchor>
      )}
    </li>
  )
}
