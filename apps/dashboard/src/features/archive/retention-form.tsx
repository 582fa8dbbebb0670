import { Button, Group, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ArchiveSettings } from '@gatehouse/contract'
import { useSaveForm } from '../../lib/forms/use-save-form.ts'
import { DraftOffer } from '../../ui/form/draft-offer.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { archiveMessages } from './archive-messages.ts'
import { useSaveSettings } from './archive-queries.ts'

interface RetentionFormProps {
  settings: ArchiveSettings
  canEdit: boolean
}

const typed = (days: number | null) => (days === null ? '' : String(days))

/** How many days bodies and answers stay in the database, and when rounds begin. */
export function RetentionForm({ settings, canEdit }: RetentionFormProps) {
  const { test_days, read_days, submit_days, ...schedule } = settings
  const initialValues = {
    test_days: typed(test_days),
    read_days: typed(read_days),
    submit_days: typed(submit_days),
    ...schedule,
  }
  const form = useForm({ initialValues })
  const saving = useSaveForm({
    form,
    initialValues,
    save: useSaveSettings(),
    texts: {
      saved: { text: archiveMessages.saved },
      notSaved: { text: archiveMessages.notSaved },
    },
    target: () => null,
  })
  const { attachForm, handleSubmit, state } = saving
  const field = (name: keyof typeof form.values) => ({
    ...form.getInputProps(name),
    name,
    readOnly: !canEdit,
  })
  return (
    <form ref={attachForm} onSubmit={handleSubmit} noValidate autoComplete="off">
      <DraftOffer saving={saving} />
      <FormCard
        title="Days in the database"
        description="After the end of a run. A blank field means: never to the archive. Submits stay for ten years at least."
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput
            label="Tests"
            inputMode="numeric"
            placeholder="never"
            {...field('test_days')}
          />
          <TextInput
            label="Reads"
            inputMode="numeric"
            placeholder="never"
            {...field('read_days')}
          />
          <TextInput
            label="Submits"
            inputMode="numeric"
            placeholder="never"
            {...field('submit_days')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Rounds begin"
            description="Five fields: minute, hour, day, month, day of the week"
            {...field('cron')}
          />
          <TextInput
            label="Time zone"
            description="By its name, such as Europe/Berlin"
            {...field('time_zone')}
          />
        </SimpleGrid>
        {canEdit && (
          <Group>
            <Button type="submit" loading={state === 'saving'} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        )}
      </FormCard>
    </form>
  )
}
