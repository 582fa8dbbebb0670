import { Button, Group, PasswordInput, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { reasonOf } from '../../lib/calls/call-error.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { useUnsaved } from '../../lib/forms/unsaved.ts'
import { FormCard } from '../../ui/form/form-card.tsx'
import { ChangeList } from './change-list.tsx'
import { ResultList } from './result-list.tsx'
import { useApply, useDiff, type ConfigurationDiff } from './configuration-queries.ts'

interface ChangesFormProps {
  document: string
  first: ConfigurationDiff
}

const willChange = ({ action }: ConfigurationDiff['things'][number]) =>
  action === 'add' || action === 'change' || action === 'remove'

/** What a file would change, the secrets that it refers to, and the button that applies it. */
export function ChangesForm({ document, first }: ChangesFormProps) {
  const can = useCan()
  const diff = useDiff()
  const apply = useApply()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [isPruned, setIsPruned] = useState(false)
  const shown = diff.data ?? first
  const values = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))
  const changed = shown.things.filter(willChange)
  const hasValues = Object.keys(values).length > 0
  useUnsaved(!apply.isSuccess && (changed.length > 0 || hasValues))

  function prune(next: boolean) {
    setIsPruned(next)
    diff.mutate({ document, values, prune: next })
  }

  async function handleApply() {
    try {
      await apply.mutateAsync({ document, values, prune: isPruned })
    } catch (error) {
      notifyError('The configuration was not applied.', reasonOf(error))
    }
  }
  if (apply.data) return <ResultList results={apply.data.results} />
  return (
    <Stack gap="md">
      {shown.references.length > 0 && (
        <FormCard
          title="Secrets"
          description="The file refers to them. A blank one leaves the stored secret as it is."
        >
          {shown.references.map(({ name }) => (
            <PasswordInput
              key={name}
              label={name}
              autoComplete="off"
              value={typed[name] ?? ''}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            />
          ))}
        </FormCard>
      )}
      <FormCard title="Changes">
        <Switch
          label="Remove what the file does not have"
          description="In the sections that it has. Otherwise that stays."
          checked={isPruned}
          onChange={(event) => prune(event.currentTarget.checked)}
        />
        <ChangeList things={changed} />
      </FormCard>
      <Group>
        <Button
          disabled={(changed.length === 0 && !hasValues) || !can('api.edit') || diff.isPending}
          loading={apply.isPending}
          onClick={() => void handleApply()}
        >
          Apply
        </Button>
        {!can('api.edit') && (
          <Text size="sm" c="dimmed">
            You may compare, and not apply.
          </Text>
        )}
      </Group>
    </Stack>
  )
}
