import { Checkbox, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { HeldParts } from '@gatehouse/contract'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { heldParts } from './release-queries.ts'

/** The lanes and schedules that are chosen, by their ids. */
export interface Parts {
  lanes: number[]
  schedules: number[]
}

interface HeldPartListProps {
  parts: Parts
  onChange: (parts: Parts) => void
}

/** Chooses among the lanes and schedules that are still held. */
export function HeldPartList(props: HeldPartListProps) {
  const query = useQuery(heldParts())
  return (
    <QueryLoader query={query} failureText="What is held could not be loaded.">
      {(held) => <Choices held={held} {...props} />}
    </QueryLoader>
  )
}

function Choices({ held, parts, onChange }: HeldPartListProps & { held: HeldParts }) {
  const toggled = (ids: readonly number[], id: number) =>
    ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]
  const lanes = held.lanes.filter((lane) => !lane.is_released)
  const schedules = held.schedules.filter((schedule) => !schedule.is_released)
  return (
    <Stack gap={6} mah="16rem" style={{ overflowY: 'auto' }}>
      {lanes.map(({ id, name, queued, without_query }) => (
        <Checkbox
          key={id}
          label={`Lane ${name}`}
          description={queuedWords(queued, without_query)}
          checked={parts.lanes.includes(id)}
          onChange={() => onChange({ ...parts, lanes: toggled(parts.lanes, id) })}
        />
      ))}
      {schedules.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={`Schedule ${name}`}
          description="Its runs wait while their lane is held."
          checked={parts.schedules.includes(id)}
          onChange={() => onChange({ ...parts, schedules: toggled(parts.schedules, id) })}
        />
      ))}
      {held.found.total > 0 && (
        <Text size="sm" c="dimmed">
          {held.found.total} documents were sent since; {held.found.unknown} of them are still
          unknown.
        </Text>
      )}
    </Stack>
  )
}

const queuedWords = (queued: number, withoutQuery: number): string =>
  withoutQuery === 0
    ? `${queued} queued`
    : `${queued} queued, ${withoutQuery} of them without a status query: look at the authority`
