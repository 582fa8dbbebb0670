import { Anchor, Badge, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import type { AuthorityDay, DocumentState } from '@gatehouse/contract'
import { Link } from 'react-router'
import { documentStateColors, documentStateWords } from '../../entities/document/document-words.ts'
import { paths } from '../../entities/paths.ts'
import { ageUrgency, deadlineUrgency } from '../../lib/format/urgency.ts'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import classes from './documents-panel.module.css'

interface AuthorityRowProps {
  authority: AuthorityDay
  /** Dates, the oldest first. */
  days: readonly string[]
  /** The API has documents in another register too. */
  isOneOfSeveral: boolean
}

const states: readonly DocumentState[] = [
  'accepted',
  'not_accepted',
  'unknown',
  'pending',
  'sending',
  'open',
]
const series = [
  { name: 'accepted', color: 'green.6' },
  { name: 'unresolved', color: 'yellow.5' },
  { name: 'not accepted', color: 'red.7' },
]

/** One authority: the documents of today by state, what waits longest, and the last days as bars. */
export function AuthorityRow({ authority, days, isOneOfSeveral }: AuthorityRowProps) {
  const { api, today } = authority
  const total = Object.values(today).reduce((sum, count) => sum + count, 0)
  return (
    <li className={classes['row']}>
      <div className={classes['name']}>
        <Text fw={600} size="sm" component="h4">
          {api === null ? 'Authority not known' : (api.name ?? `API ${api.id} (deleted)`)}
        </Text>
        <Text size="xs" c="dimmed">
          Register <bdi>{authority.register}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {total === 1 ? '1 document today' : `${total.toLocaleString('en')} documents today`}
        </Text>
      </div>
      <div className={classes['facts']}>
        {states.map((state) => (
          <StateCount
            key={state}
            state={state}
            authority={authority}
            today={days.at(-1) ?? ''}
            isOneOfSeveral={isOneOfSeveral}
          />
        ))}
        <Urgent authority={authority} />
      </div>
      <div className={classes['picture']}>
        <Sparkline
          series={series}
          bars={authority.days.map(({ accepted, unresolved, not_accepted }, at) => ({
            label: days[at] ?? '',
            values: [accepted, unresolved, not_accepted],
          }))}
          summary={summaryOf(authority)}
        />
      </div>
    </li>
  )
}

interface StateCountProps {
  state: DocumentState
  authority: AuthorityDay
  today: string
  isOneOfSeveral: boolean
}

function StateCount({
  state,
  authority: { api, register, today: counts },
  today,
  isOneOfSeveral,
}: StateCountProps) {
  const count = counts[state] ?? 0
  if (count === 0) return null
  const words = `${count.toLocaleString('en')} ${documentStateWords[state].toLowerCase()}`
  const look = { color: documentStateColors[state], variant: 'dot', tt: 'none' } as const
  if (api === null) return <Badge {...look}>{words}</Badge>
  const filter = {
    state,
    api: String(api.id),
    ...(isOneOfSeveral ? { register } : {}),
    test: '0',
    from: today,
    to: today,
  }
  return (
    <Anchor
      component={Link}
      to={`${paths.documents}?${new URLSearchParams(filter).toString()}`}
      underline="never"
      display="flex"
    >
      <Badge {...look} style={{ cursor: 'pointer' }}>
        {words}
      </Badge>
    </Anchor>
  )
}

/** What is not decided, of whatever day, and the first deadline. */
function Urgent({ authority: { unknown, pending, deadline_at } }: { authority: AuthorityDay }) {
  const oldest = [unknown, pending].flatMap((each) => each?.oldest_at ?? []).toSorted()[0]
  return (
    <>
      {oldest !== undefined && <Urgency {...ageUrgency(oldest)} title={oldest} />}
      {deadline_at !== null && <Urgency {...deadlineUrgency(deadline_at)} title={deadline_at} />}
    </>
  )
}

interface UrgencyProps {
  words: string
  color: string
  isUrgent: boolean
  title: string
}

function Urgency({ words, color, isUrgent, title }: UrgencyProps) {
  const Icon = isUrgent ? IconAlertTriangle : IconClock
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      title={title}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {words}
    </Badge>
  )
}

function summaryOf({ days }: AuthorityDay): string {
  const sum = (pick: (day: AuthorityDay['days'][number]) => number) =>
    days.reduce((total, day) => total + pick(day), 0).toLocaleString('en')
  return `Last 14 days: ${sum((day) => day.accepted)} accepted, ${sum((day) => day.not_accepted)} not accepted, ${sum((day) => day.unresolved)} unresolved`
}
