import { Badge, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { NodeRecord } from '@gatehouse/contract'
import type { Column } from '../../ui/table/data-table.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import {
  breakerWords,
  clockWords,
  diskWords,
  dutyWords,
  endWords,
  isClockOff,
  isDiskLow,
  limitWords,
  lifeWords,
  lossWords,
  loadWords,
  roleWords,
  silenceWords,
  workerWords,
} from './node-words.ts'

const none = <Text c="dimmed">–</Text>

export const nodeColumns: readonly Column<NodeRecord, never>[] = [
  { head: 'Node', cell: (node) => <Name {...node} />, width: 210 },
  { head: 'State', cell: (node) => <Life {...node} />, width: 140 },
  { head: 'Configuration', cell: (node) => <Configuration {...node} />, width: 280 },
  { head: 'Gateway', cell: (node) => <Gateway {...node} /> },
  { head: 'Leads', cell: (node) => <Leads {...node} />, width: 150 },
  { head: 'Machine', cell: (node) => <Machine {...node} /> },
]

function Name({ name, id, is_this: isThis, role, version }: NodeRecord) {
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {isThis && (
          <Badge
            variant="default"
            tt="none"
            fw={500}
            miw="max-content"
            title="The server that shows this page"
          >
            this one
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" title={id}>
        {version}, {roleWords(role)}
      </Text>
    </>
  )
}

const lifeColors = { alive: 'green', silent: 'red', stopped: 'gray' } as const

function Life({ life, state, started_at: startedAt, silent_seconds: seconds }: NodeRecord) {
  const ends = state?.ends ?? []
  return (
    <>
      <Badge color={lifeColors[life]} variant="light" tt="none" miw="max-content">
        {lifeWords[life]}
      </Badge>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        seen {silenceWords(seconds)}
      </Text>
      <Text size="xs" c="dimmed">
        since <Moment at={startedAt} isDay />
      </Text>
      {ends.length > 0 && (
        <Text size="xs" c="orange" title={ends.at(-1)?.reason}>
          {endWords(ends.length)}
        </Text>
      )}
    </>
  )
}

function Configuration({ state, is_current: isCurrent, life }: NodeRecord) {
  if (state === null) return none
  const { revision, refusal, isolated_apis: isolated } = state
  const color = life === 'alive' ? 'red' : 'dimmed'
  const isBehind = life === 'alive' && !isCurrent && state.workers !== null
  return (
    <>
      <Group gap="xs">
        {revision ?? <>none</>}
        {isBehind && (
          <Badge color="orange" variant="light" tt="none" miw="max-content">
            not the stored one
          </Badge>
        )}
      </Group>
      {refusal && (
        <Text size="xs" c={color} maw={320}>
          {refusal.revision > 0 ? `${refusal.revision} refused: ` : ''}
          {refusal.reason}
        </Text>
      )}
      {isolated > 0 && (
        <Text size="xs" c={color}>
          {isolated === 1 ? '1 API is isolated' : `${isolated} APIs are isolated`}
        </Text>
      )}
    </>
  )
}

const Nowrap = ({ children }: { children: ReactNode }) => (
  <span style={{ whiteSpace: 'nowrap' }}>{children}</span>
)

function Gateway({ state, life }: NodeRecord) {
  if (state === null) return none
  const { workers, in_flight: inFlight, open_breakers: breakers, limits } = state
  const { lost_requests: lost } = state
  const isAway = life === 'alive' && limits?.state === 'away'
  return (
    <>
      <Nowrap>{workerWords(workers)}</Nowrap>
      {workers && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {inFlight === 1 ? '1 request' : `${inFlight} requests`} now
        </Text>
      )}
      {breakers.length > 0 && (
        <Text size="xs" c={life === 'alive' ? 'red' : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
          {breakerWords(breakers.length)}
        </Text>
      )}
      {limitWords(limits) !== '' && (
        <Text size="xs" c={isAway ? 'orange' : 'dimmed'} title={limits?.reason ?? undefined}>
          {limitWords(limits)}
        </Text>
      )}
      {lost > 0 && (
        <Text
          size="xs"
          c={life === 'alive' ? 'orange' : 'dimmed'}
          title="They were answered. No control plane took the figures, and the gateway keeps only so many."
        >
          {lossWords(lost)}
        </Text>
      )}
    </>
  )
}

/** What one server at a time does for all of them. */
function Leads({ leads }: NodeRecord) {
  if (leads.length === 0) return none
  return leads.map(({ duty, since }) => (
    <Text key={duty} size="xs" title={since === null ? undefined : `since ${since}`}>
      {dutyWords(duty)}
      {since !== null && (
        <Text span size="xs" c="dimmed">
          {' since '}
          <Moment at={since} isDay />
        </Text>
      )}
    </Text>
  ))
}

function Machine({ state, life }: NodeRecord) {
  if (state === null) return none
  const { clock, load, disk } = state
  const title = clock ? `${clock.offset_ms} ms ahead, give or take ${clock.error_ms} ms` : undefined
  const color = life === 'alive' && isClockOff(clock) ? 'orange' : 'dimmed'
  return (
    <>
      <Nowrap>{loadWords(load)}</Nowrap>
      <Text size="xs" c={color} title={title} style={{ whiteSpace: 'nowrap' }}>
        {clockWords(clock)}
      </Text>
      <Text
        size="xs"
        c={life === 'alive' && isDiskLow(disk) ? 'red' : 'dimmed'}
        title={disk?.path}
        style={{ whiteSpace: 'nowrap' }}
      >
        {diskWords(disk)}
      </Text>
    </>
  )
}
