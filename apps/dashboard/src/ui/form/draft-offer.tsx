import { Alert, Button, Group, Stack } from '@mantine/core'
import { ageWords } from '../../lib/format/age-words.ts'
import type { FormSaving } from '../../lib/forms/use-save-form.ts'

/** Offers what was typed into this form before and not saved. */
export function DraftOffer({ saving }: { saving: FormSaving }) {
  const { draft } = saving
  if (!draft.offer) return null
  const { at, hadSecret } = draft.offer
  return (
    <Alert color="blue" role="note" title={`You have unsaved changes from ${ageWords(at)} ago`}>
      <Stack gap="sm" align="flex-start">
        <span>
          They were kept in this browser, for you alone.
          {draft.hasClashes && ' The record has changed since: you can compare the two.'}
          {hadSecret && ' Passwords and other secrets are never kept: type them again.'}
        </span>
        <Group gap="sm">
          <Button size="xs" onClick={saving.continueDraft}>
            Continue
          </Button>
          <Button size="xs" variant="default" onClick={draft.drop}>
            Discard
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
