import { useQuery } from '@tanstack/react-query'
import type { LaneState } from '@gatehouse/contract'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session.tsx'
import { homeLanes } from './lane-queries.ts'
import { laneStateColors } from './lanes-messages.ts'

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
    hint: state === 'outage' ? 'The authority does not answer.' : 'No run is started.',
    color: laneStateColors[state],
    to: `${paths.lanes}?state=${state}`,
  }))
}
