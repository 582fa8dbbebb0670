import { Alert, Button, Group, List, Paper, Text } from '@mantine/core'
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { focusFirstInvalid } from '../../lib/forms/field-errors.ts'
import { useHold } from '../../lib/forms/form-hold.ts'
import { lastAddressOf } from '../../lib/page/last-address.ts'
import type { FormSaving } from '../../lib/forms/use-save-form.ts'
import classes from './form-frame.module.css'
import { useHasUnresolved } from '../text/unresolved.tsx'
import { useFieldLabels } from './use-field-labels.ts'

interface SavePanelProps {
  saving: FormSaving
  form: RefObject<HTMLFormElement | null>
  formId: string
  submitLabel: string
  cancelPath: string
}

/** Always in sight: whether anything is unsaved, what is wrong, Save and Cancel. */
export function SavePanel(props: SavePanelProps) {
  const { saving, formId, submitLabel, cancelPath } = props
  const hasUnresolved = useHasUnresolved()
  const { isReloaded = false } = useHold()
  return (
    <Paper className={classes['panel'] ?? ''}>
      <div className={classes['notices']}>
        {saving.conflict.cause === 'save' && !saving.conflict.isShown && (
          <ConflictNotice onCompare={saving.conflict.show} />
        )}
        {saving.strayErrors.length > 0 && <StrayErrors messages={saving.strayErrors} />}
      </div>
      <output className={classes['state']}>
        <SaveState {...props} />
      </output>
      <Group gap="sm">
        <Button
          {...(isReloaded ? { ref: focusIfLost } : {})}
          type="submit"
          form={formId}
          loading={saving.state === 'saving'}
          disabled={saving.isBusy || hasUnresolved}
        >
          {submitLabel}
        </Button>
        <Button component={Link} to={lastAddressOf(cancelPath)} variant="default">
          Cancel
        </Button>
      </Group>
    </Paper>
  )
}

/** What had the focus went with the form that has begun again. */
function focusIfLost(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus({ preventScroll: true })
}

function SaveState({ saving, form }: SavePanelProps) {
  const wrong = useFieldLabels(saving.errorFields, form)
  if (wrong.length > 0 && !saving.isBusy) {
    return (
      <button
        type="button"
        className={classes['wrong']}
        onClick={() => focusFirstInvalid(form.current)}
      >
        {wrongWords(wrong)}
      </button>
    )
  }
  return (
    <Text size="sm" {...(saving.isUnsaved && !saving.isBusy ? { fw: 600 } : { c: 'dimmed' })}>
      {stateWords(saving)}
    </Text>
  )
}

function stateWords({ state, isUnsaved }: FormSaving): string {
  if (state === 'saving') return 'Saving…'
  if (state === 'saved') return 'Saved'
  if (state === 'interrupted') return 'Not saved: the session had ended. Save once more.'
  return isUnsaved ? 'Unsaved changes' : 'No unsaved changes'
}

const namedMax = 3

function wrongWords(labels: readonly string[]): string {
  const named = labels.slice(0, namedMax).join(', ')
  const more = labels.length > namedMax ? ` and ${labels.length - namedMax} more` : ''
  return `Not saved. Needs correction: ${named}${more}`
}

function StrayErrors({ messages }: { messages: string[] }) {
  return (
    <Alert color="red" role="alert">
      <List size="sm" listStyleType="none">
        {messages.map((message) => (
          <List.Item key={message}>{message}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function ConflictNotice({ onCompare }: { onCompare: () => void }) {
  return (
    <Alert color="orange" role="alert" title="Another user has changed this record">
      <Button size="xs" variant="default" onClick={onCompare}>
        Compare
      </Button>
    </Alert>
  )
}
