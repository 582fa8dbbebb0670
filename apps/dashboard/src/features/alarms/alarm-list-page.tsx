import { Anchor, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { alarmKindFacts, alarmKinds, type AlarmKind } from '@gatehouse/contract/alarm-kinds'
import type { AlarmRecord } from '@gatehouse/contract'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useCan } from '../../lib/session/session.tsx'
import { messageOf } from '../../lib/calls/call-error.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { readRegister, RegisterFilter } from '../../entities/document/register-filter.tsx'
import { RegisterNames } from '../../entities/document/register-names.tsx'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { useAddressFilter } from '../../lib/page/use-address-filter.ts'
import type { Column } from '../../ui/table/data-table.tsx'
import { filterProps, filterWidth } from '../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../ui/filters/late-select.tsx'
import { ListPage } from '../../ui/table/list-page.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { opens } from '../../ui/table/open-row.ts'
import { alarmQueries, useAlarmActions } from './alarm-queries.ts'
import { AlarmTabs } from './alarm-tabs.tsx'
import { alarmStateColors, alarmStateWords } from './alarms-messages.ts'
import { serverWords } from '../../lib/calls/server-words.tsx'
import { StatusWord } from '../../ui/text/status-word.tsx'

const AcknowledgeDialog = lazyPart(
  async () => (await import('./acknowledge-dialog.tsx')).AcknowledgeDialog,
)
const MuteDialog = lazyPart(async () => (await import('./mute-dialog.tsx')).MuteDialog)

const filterNames = ['state', 'kind', 'register'] as const
const states = { current: 'Not over', open: 'Open', acknowledged: 'Acknowledged', ended: 'Over' }
type StateFilter = keyof typeof states | 'any'

interface AlarmFilter {
  state: StateFilter
  kind: AlarmKind | ''
  register: string
}

function readFilter(address: URLSearchParams): AlarmFilter {
  const given = address.get('state')
  const known = Object.keys(states) as (keyof typeof states)[]
  return {
    state: given === 'any' ? 'any' : (known.find((name) => name === given) ?? 'current'),
    kind: alarmKinds.find((name) => name === address.get('kind')) ?? '',
    register: readRegister(address),
  }
}

/** Alarms: those that are not over first, with what can be done about them. */
export function AlarmListPage() {
  const { filter, setFilter } = useAddressFilter(filterNames, readFilter)
  const [asked, setAsked] = useState<number>()
  const can = useCan()
  const mayOperate = can('alarm.operate')
  const { kind, register } = filter
  const query = { kind, register, state: filter.state === 'any' ? ('' as const) : filter.state }
  return (
    <>
      <ListPage
        id="alarms"
        title="Alarms"
        subtitle="What a rule has noticed. An alarm is over when its condition is."
        actions={<AlarmTabs />}
        list={(page) => alarmQueries.list({ ...page, ...query })}
        searchLabel="Search alarms"
        filters={{
          fields: <Filters filter={filter} setFilter={setFilter} />,
          areSet: filter.state !== 'current' || kind !== '' || register !== '',
        }}
        empty={{
          title: 'No alarms',
          hint: 'Nothing fits a rule now. The rules are looked at every 30 seconds.',
        }}
        columns={columns}
        bulk={mayOperate ? bulk : undefined}
        renderActions={
          mayOperate
            ? (row, ask) => <Verbs row={row} onAcknowledge={() => setAsked(row.id)} onMute={ask} />
            : undefined
        }
        actionColumn={{ width: '13rem', isWide: true }}
        renderDialog={(row, onClose) => row && <MuteDialog alarm={row} onClose={onClose} />}
      />
      {asked !== undefined && (
        <AcknowledgeDialog ids={[asked]} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

interface FiltersProps {
  filter: AlarmFilter
  setFilter: (changes: Partial<Record<keyof AlarmFilter, string | null>>) => void
}

function Filters({ filter, setFilter }: FiltersProps) {
  return (
    <>
      <LateSelect
        aria-label="State"
        data={[
          ...Object.entries(states).map(([value, label]) => ({ value, label })),
          { value: 'any', label: 'Any state' },
        ]}
        value={filter.state}
        allowDeselect={false}
        onChange={(state) => setFilter({ state: state === 'current' ? null : state })}
        w={filterWidth(220)}
      />
      <LateSelect
        {...filterProps('What', 'Any kind', 220)}
        data={alarmKinds.map((value) => ({
          value,
          label: serverWords(alarmKindFacts[value].title),
        }))}
        value={filter.kind || null}
        onChange={(kind) => setFilter({ kind })}
      />
      <RegisterFilter value={filter.register} onChange={(register) => setFilter({ register })} />
    </>
  )
}

const bulk = {
  nameOf: ({ title }: AlarmRecord) => title,
  canSelect: ({ state }: AlarmRecord) => state === 'open',
  renderBar: (rows: AlarmRecord[], show: (dialog: ReactNode) => void) => (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        show(<AcknowledgeDialog ids={rows.map(({ id }) => id)} onClose={() => show(undefined)} />)
      }
    >
      Acknowledge
    </Button>
  ),
}

const columns: Column<AlarmRecord, 'id'>[] = [
  {
    head: 'Alarm',
    isName: true,
    width: '38%',
    cell: (row) => (
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Anchor component={Link} to={row.path} size="sm" fw={600} {...opens}>
          {serverWords(row.title)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {serverWords(alarmKindFacts[row.kind].next)}
        </Text>
      </div>
    ),
  },
  { head: 'Register', width: '10rem', cell: (row) => <RegisterNames names={row.registers} /> },
  { head: 'State', width: '12rem', cell: (row) => <StateCell row={row} /> },
  {
    head: 'Since',
    sort: 'id',
    width: '12rem',
    cell: (row) => (
      <>
        <Moment at={row.since} isRelative />
        {row.ended_at !== null && (
          <Text size="xs" c="dimmed">
            over <Moment at={row.ended_at} isRelative />
          </Text>
        )}
      </>
    ),
  },
]

function StateCell({ row }: { row: AlarmRecord }) {
  return (
    <>
      <StatusWord color={alarmStateColors[row.state]}>{alarmStateWords[row.state]}</StatusWord>
      {row.acknowledged && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          by {row.acknowledged.by}
          {row.acknowledged.note && `: ${row.acknowledged.note}`}
        </Text>
      )}
      {row.muted_until !== null && (
        <Text size="xs" c="dimmed">
          muted until <Moment at={row.muted_until} />
        </Text>
      )}
    </>
  )
}

interface VerbsProps {
  row: AlarmRecord
  onAcknowledge: () => void
  onMute: () => void
}

function Verbs({ row, onAcknowledge, onMute }: VerbsProps) {
  const { unmute } = useAlarmActions()
  const name = <VisuallyHidden> {serverWords(row.title)}</VisuallyHidden>

  async function handleUnmute() {
    try {
      await unmute.mutateAsync(row.id)
      notifySuccess('No longer muted.')
    } catch (error) {
      notifyError('It is still muted.', messageOf(error))
    }
  }
  if (row.state === 'ended') return null
  return (
    <Group gap={6}>
      {row.state === 'open' && (
        <Button size="compact-sm" variant="default" onClick={onAcknowledge}>
          Acknowledge{name}
        </Button>
      )}
      {row.muted_until === null ? (
        <Button size="compact-sm" variant="subtle" onClick={onMute}>
          Mute{name}
        </Button>
      ) : (
        <Button size="compact-sm" variant="subtle" onClick={() => void handleUnmute()}>
          Unmute{name}
        </Button>
      )}
    </Group>
  )
}
