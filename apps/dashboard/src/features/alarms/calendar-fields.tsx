import { Checkbox, Group, TextInput } from '@mantine/core'
import { FormCard } from '../../ui/form/form-card.tsx'
import type { RuleFormApi } from './rule-values.ts'

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** When work is done: other hours do not count as silence. */
export function CalendarFields({ form }: { form: RuleFormApi }) {
  const { weekdays } = form.values.calendar
  return (
    <FormCard title="Working time" description="Hours outside of it do not count.">
      <Checkbox.Group
        label="Days"
        value={weekdays.map(String)}
        onChange={(values) =>
          form.setFieldValue('calendar.weekdays', values.map(Number).toSorted())
        }
        error={form.errors['calendar.weekdays']}
      >
        <Group mt={6}>
          {days.map((day, at) => (
            <Checkbox key={day} value={String(at + 1)} label={day} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group align="flex-start">
        <TextInput label="From" w={100} {...form.getInputProps('calendar.from')} />
        <TextInput label="To" w={100} {...form.getInputProps('calendar.to')} />
        <TextInput label="Time zone" w={240} {...form.getInputProps('calendar.time_zone')} />
      </Group>
    </FormCard>
  )
}
