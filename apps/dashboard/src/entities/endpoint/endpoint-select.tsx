import { Box, Group, Select, Text } from '@mantine/core'
import type { EndpointOption } from '@gatehouse/contract'
import { MethodBadge } from './method-badge.tsx'
import { detailOf } from './endpoint-words.ts'

interface EndpointSelectProps {
  label: string
  choices: readonly EndpointOption[]
  value: string | null
  onChange: (value: string | null) => void
  error?: string | undefined
  /** Shown under the select while nothing is chosen. */
  hint?: string | undefined
}

/** Chooses an endpoint by its summery. Method, path and API distinguish those of one name. */
export function EndpointSelect(props: EndpointSelectProps) {
  const { label, choices, value, onChange, error, hint } = props
  const byId = new Map(choices.map((choice) => [String(choice.id), choice]))
  const chosen = byId.get(value ?? '')
  return (
    <Select
      label={label}
      placeholder="Choose an endpoint"
      data={choices.map(({ id, summery }) => ({ value: String(id), label: summery }))}
      value={chosen ? value : null}
      onChange={onChange}
      error={error}
      description={chosen ? `${chosen.method_type.toUpperCase()} ${detailOf(chosen)}` : hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the choice' }}
      nothingFoundMessage="No endpoint of that name, path or API"
      maxDropdownHeight={320}
      filter={({ options, search }) =>
        options.filter((option) => 'value' in option && matches(byId.get(option.value), search))
      }
      renderOption={({ option }) => <EndpointChoice choice={byId.get(option.value)} />}
    />
  )
}

function EndpointChoice({ choice }: { choice: EndpointOption | undefined }) {
  if (!choice) return null
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Box w={68} style={{ flexShrink: 0 }}>
        <MethodBadge method={choice.method_type} />
      </Box>
      <div style={{ minWidth: 0 }}>
        <Text size="sm">{choice.summery}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detailOf(choice)}
        </Text>
      </div>
    </Group>
  )
}

function matches(choice: EndpointOption | undefined, search: string) {
  if (!choice) return false
  const text = `${choice.summery} ${choice.method_type} ${detailOf(choice)}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
