import { Badge, Group, ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { TestedConnection } from '@gatehouse/contract'
import classes from './procedure-list.module.css'

export type ListedProcedure = TestedConnection['procedures'][number]

interface ProcedureListProps {
  tested: TestedConnection
  chosen: string
  onChoose: (procedure: ListedProcedure) => void
}

/** More than fit into the window at once are worth a search. */
const searchedFrom = 8

/** What a connection found: a click on a procedure puts its name into the field. */
export function ProcedureList({ tested, chosen, onChoose }: ProcedureListProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = tested.procedures.filter(({ method }) => method.toLowerCase().includes(wanted))
  if (tested.procedures.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Connected, but no procedures are visible to this user. A database shows only those that the
        user may execute.
      </Text>
    )
  }
  return (
    <div>
      {tested.procedures.length > searchedFrom && (
        <TextInput
          aria-label="Search procedures"
          placeholder="Search procedures"
          leftSection={<IconSearch size={16} />}
          mb="xs"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={320} type="auto" className={classes['list'] ?? ''}>
        {shown.map((procedure) => (
          <UnstyledButton
            key={procedure.method}
            className={classes['row'] ?? ''}
            aria-pressed={procedure.method === chosen}
            onClick={() => onChoose(procedure)}
          >
            <Group gap="xs">
              <Text size="sm" fw={600} className={classes['name'] ?? ''}>
                {procedure.method}
              </Text>
              {procedure.isReadOnly && <Badge color="gray">reads only</Badge>}
            </Group>
            <Text size="xs" c="dimmed" className={classes['name'] ?? ''}>
              {procedure.parameters.length === 0
                ? 'no parameters'
                : procedure.parameters
                    .map(({ direction, name, type }) => `${direction} ${name} ${type}`)
                    .join(', ')}
            </Text>
          </UnstyledButton>
        ))}
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            Nothing matches “{search}”.
          </Text>
        )}
      </ScrollArea.Autosize>
      {!tested.is_complete && (
        <Text size="xs" c="dimmed" mt={4}>
          The first 1,000 are shown; any other can be typed.
        </Text>
      )}
    </div>
  )
}
