import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LaneRecord, LaneState } from '@gatehouse/contract'
import { useState } from 'react'
import { paths } from '../../entities/paths.ts'
import { ageWords } from '../../lib/format/age-words.ts'
import { deadlineUrgency } from '../../lib/format/urgency.ts'
import { Figures } from '../../ui/chart/figures.tsx'
import { NumberLink } from '../../entities/number-link.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { ShowAll } from '../../ui/table/show-all.tsx'
import { homeLanes } from './lane-queries.ts'
import { lanesMessages, laneStateColors, laneStateWords } from './lanes-messages.ts'
import classes from './lanes-panel.module.css'

const shownMax = 6
/** The worst first. */
const order: readonly LaneState[] = ['outage', 'paused', 'draining', 'waiting', 'working']

const isBusy = ({ state }: LaneRecord) => state !== 'idle'

/** On the dashboard's home: every lane in a line, except those that are idle. Nothing where there is none. */
export function LanesPanel() {
  const query = useQuery(homeLanes())
  if (query.data?.some(isBusy) === false) return null
  return (
    <Panel id="lanes" title="Lanes" more={{ label: 'All lanes', to: paths.lanes }}>
      <QueryLoader query={query} failureText={lanesMessages.notLoaded}>
        {(lanes) => <LaneLines lanes={lanes.filter(isBusy)} />}
      </QueryLoader>
    </Panel>
  )
}

function LaneLines({ lanes }: { lanes: readonly LaneRecord[] }) {
  const [isAll, setAll] = useState(false)
  const sorted = lanes.toSorted(
    (one, other) =>
      order.indexOf(one.state) - order.indexOf(other.state) || other.depth - one.depth,
  )
  const shown = isAll ? sorted : sorted.slice(0, shownMax)
  return (
    <>
      <ul className={classes['list']}>
        {shown.map((lane) => (
          <LaneLine key={lane.id} lane={lane} />
        ))}
      </ul>
      <ShowAll count={lanes.length} shown={shown.length} noun="lanes" onShow={() => setAll(true)} />
    </>
  )
}

function LaneLine({ lane }: { lane: LaneRecord }) {
  const { name, state, depth, oldest_at, rate_per_minute, deadline_at } = lane
  const deadline = deadline_at === null ? undefined : deadlineUrgency(deadline_at)
  return (
    <li className={classes['lane']}>
      <Group gap="xs" className={classes['name'] ?? ''}>
        <Text component="h4" size="sm" fw={600} className={classes['text'] ?? ''}>
          {name}
        </Text>
        <Badge
          color={laneStateColors[state]}
          variant={state === 'outage' ? 'filled' : 'light'}
          miw="max-content"
        >
          {laneStateWords[state]}
        </Badge>
        {deadline && (
          <Badge
            color={deadline.color}
            variant="light"
            tt="none"
            miw="max-content"
            title={deadline_at ?? undefined}
          >
            {deadline.words}
          </Badge>
        )}
      </Group>
      <Figures
        figures={[
          {
            name: 'Waiting',
            value: (
              <NumberLink to={`${paths.lanes}?state=${state}`}>
                {depth.toLocaleString('en')}
              </NumberLink>
            ),
          },
          {
            name: 'Oldest',
            value: oldest_at === null ? '–' : ageWords(oldest_at),
            title: oldest_at ?? undefined,
          },
          { name: 'Ended in a minute', value: rate_per_minute.toLocaleString('en') },
        ]}
      />
    </li>
  )
}
