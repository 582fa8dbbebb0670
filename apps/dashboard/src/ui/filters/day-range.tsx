import { Group, TextInput } from '@mantine/core'

interface DayRangeProps {
  from: string
  to: string
  onChange: (changes: { from?: string; to?: string }) => void
}

/** Two days, both inclusive. Either may be blank. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <Group gap="xs" wrap="nowrap" w={{ base: '100%', xs: 'auto' }}>
      <TextInput
        type="date"
        aria-label="From"
        value={from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
        flex={1}
        miw={0}
      />
      –
      <TextInput
        type="date"
        aria-label="To"
        value={to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
        flex={1}
        miw={0}
      />
    </Group>
  )
}
