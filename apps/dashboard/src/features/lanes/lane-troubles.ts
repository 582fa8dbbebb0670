import { useQuery } from '@tanstack/react-query'
import type { LaneState } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { homeLanes } from './lane-queries.ts'
import { laneStateColors, laneStateWords } from './lanes-messages.ts'

const troubles = {
  outage: 'Lanes in outage',
  paused: 'Paused lanes',
} as const satisfies Partial<Record<LaneState, string>>

/** Lanes that need somebody, each number with the list that shows them. */
export function useLaneTroubles() {
  const can = useCan()
  const { data: lanes = [] } = useQuery({ ...homeLanes(), enabled: can('workflow.view') })
  return (['outage', 'paused'] as const).map((state) => ({
    key: `lanes-${state}`,
    label: troubles[state],
    count: lanes.filter((lane) => lane.state === state).length,
    things: lanes
      .filter((lane) => lane.state === state)
      .slice(0, 3)
      .map((lane) => ({
        key: `lane ${lane.id}`,
        label: laneStateWords[state],
        color: laneStateColors[state],
        name: lane.name,
        since: state === 'outage' ? lane.outage_since : lane.paused?.at,
        to: `${paths.lanes}?state=${state}`,
        action: state === 'outage' ? 'Look at it' : 'Resume',
      })),
    hint: state === 'outage' ? 'The authority does not answer.' : 'No run is started.',
    color: laneStateColors[state],
    to: `${paths.lanes}?state=${state}`,
  }))
}
