import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { cronExamples } from './cron-words.ts'
import { NextTimes } from './next-times.tsx'

const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
const another = 'another'

interface CronFieldsProps {
  /** What the form has for the expression and for its time zone. */
  cron: GetInputPropsReturnType
  timeZone: GetInputPropsReturnType
  onChoose: (cron: string) => void
  /** Offers to leave the expression blank, in these words. */
  never?: string
}

/** When something happens: a common expression or one that is typed, its time zone, and its next moments. */
export function CronFields({ cron, timeZone, onChoose, never }: CronFieldsProps) {
  const value = String(cron.value ?? '')
  const choices = [
    ...(never === undefined ? [] : [{ value: '', label: never }]),
    ...cronExamples,
    { value: another, label: 'Another expression' },
  ]
  const isNever = never !== undefined && value.trim() === ''
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label="How often"
          data={choices}
          value={choices.some((choice) => choice.value === value) ? value : another}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && chosen !== another && onChoose(chosen)}
        />
        <TextInput
          label="Cron expression"
          description="Minute, hour, day, month, day of the week"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          spellCheck={false}
          dir="ltr"
          maxLength={100}
          {...cron}
        />
        <Select
          label="Time zone"
          data={zones}
          searchable
          limit={100}
          allowDeselect={false}
          {...timeZone}
        />
      </SimpleGrid>
      {isNever ? (
        <Text size="sm" c="dimmed">
          It is started by hand.
        </Text>
      ) : (
        <NextTimes cron={value} zone={String(timeZone.value ?? '')} />
      )}
    </>
  )
}
