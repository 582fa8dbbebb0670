import { Anchor, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { changedAt, type ApiChoice } from './import-choice.ts'
import type { PreviewApi } from './import-queries.ts'
import { neededField } from '../../ui/form/field-looks.ts'

export interface ImportTargetProps {
  api: PreviewApi
  choice: ApiChoice
  errorOf: (field: string) => string | undefined
  onChange: (next: ApiChoice) => void
  /** The base URL has been entered. */
  onUrlEntered: () => void
}

/** Which API the operations go to: one that has the base URL already, or a new one. */
export function ImportTarget(props: ImportTargetProps) {
  const { api, choice, errorOf, onChange } = props
  const existing = api.existing.find(({ id }) => id === choice.target)
  const into = (value: string) => {
    const target = value === 'new' ? null : Number(value)
    onChange({ ...choice, target, operations: changedAt(api, target) })
  }
  return (
    <>
      {api.existing.length > 0 && (
        <Radio.Group
          label="Import into"
          description="An API has this base URL already."
          value={String(choice.target ?? 'new')}
          error={errorOf('api_id')}
          onChange={into}
        >
          <Stack gap="xs" mt="xs">
            {api.existing.map(({ id, name }) => (
              <Radio key={id} value={String(id)} label={name} />
            ))}
            <Radio value="new" label="A new API" />
          </Stack>
        </Radio.Group>
      )}
      {existing ? <ExistingApi {...existing} /> : <NewApiFields {...props} />}
    </>
  )
}

function ExistingApi({ id, name, api_access }: PreviewApi['existing'][number]) {
  return (
    <Text size="sm" c="dimmed">
      <Anchor component={Link} underline="always" to={paths.api(id)} inherit>
        {name}
      </Anchor>{' '}
      stays as it is, and so does what its endpoints ask of callers.{' '}
      {api_access === 'internally'
        ? 'Only internal networks may call them.'
        : 'Any network may call them.'}{' '}
      New endpoints ask for a personal token.
    </Text>
  )
}

function NewApiFields({ choice, errorOf, onChange, onUrlEntered }: ImportTargetProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="API Name"
          {...neededField}
          value={choice.name}
          error={errorOf('name')}
          onChange={(event) => onChange({ ...choice, name: event.currentTarget.value })}
        />
        <TextInput
          label="Base URL"
          {...neededField}
          value={choice.url}
          error={errorOf('api_url')}
          placeholder="https://"
          spellCheck={false}
          onChange={(event) => onChange({ ...choice, url: event.currentTarget.value })}
          onBlur={onUrlEntered}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        It is made active for internal networks, and asks callers for a personal token.
      </Text>
    </>
  )
}
