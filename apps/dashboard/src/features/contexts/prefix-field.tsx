import { Button, Code, Group, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState, type SubmitEvent } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { firstMessages } from '../../lib/forms/field-errors.ts'
import { notifySuccess } from '../../lib/page/notify.tsx'
import { focusWhenShown } from '../../lib/page/page-focus.ts'
import { useCan } from '../../lib/session/session.tsx'
import { useUpdateContext } from './context-queries.ts'

interface PrefixFieldProps {
  id: number
  name: string
  context: string
}

/** The prefix, editable in place for users who hold the permission. */
export function PrefixField({ id, name, context }: PrefixFieldProps) {
  const [isEditing, setIsEditing] = useState(false)
  const can = useCan()
  if (isEditing) {
    return <PrefixForm id={id} name={name} context={context} onDone={() => setIsEditing(false)} />
  }
  return (
    <Group gap="xs">
      <Code fz="sm">/{context}</Code>
      {can('context.edit') && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPencil size={14} />}
          aria-label={`Change the prefix of ${name}`}
          onClick={() => setIsEditing(true)}
        >
          Change
        </Button>
      )}
    </Group>
  )
}

function PrefixForm({ id, name, context, onDone }: PrefixFieldProps & { onDone: () => void }) {
  const [typed, setTyped] = useState(context)
  const update = useUpdateContext(id)

  async function handleSubmit(event: SubmitEvent) {
    event.preventDefault()
    try {
      const saved = await update.mutateAsync(typed)
      notifySuccess('Prefix changed.', `${name} is now found under /${saved.context}`)
      onDone()
    } catch {
      // Shown under the field.
    }
  }
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label={`Prefix of ${name}`}
          leftSection="/"
          leftSectionWidth={22}
          maw={320}
          spellCheck={false}
          ref={focusWhenShown}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onDone()}
          error={update.isError && problemOf(update.error)}
        />
        <Button type="submit" loading={update.isPending}>
          Save
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}

function problemOf(error: unknown): string {
  const fields = error instanceof CallError ? firstMessages(error.errors) : {}
  return fields['context'] ?? messageOf(error)
}
