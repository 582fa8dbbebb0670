import { SimpleGrid, Stack } from '@mantine/core'
import { useAlarmTroubles } from '../../features/alarms/alarm-troubles.ts'
import { SignInPanel } from '../../features/apis/sign-in/sign-in-panel.tsx'
import { useSignInTroubles } from '../../features/apis/sign-in/sign-in-troubles.ts'
import { LatestChanges } from '../../features/audit/latest-changes.tsx'
import { ArchivePanel } from '../../features/archive/archive-panel.tsx'
import { useArchiveTroubles } from '../../features/archive/archive-troubles.ts'
import { FirstStepsPart } from '../../features/first-steps/first-steps-part.tsx'
import { DocumentsPanel } from '../../features/home/documents-panel.tsx'
import { ApisTile, HomePage } from '../../features/home/home-page.tsx'
import { WaitingPanel } from '../../features/home/waiting-panel.tsx'
import { useLaneTroubles } from '../../features/lanes/lane-troubles.ts'
import { LanesPanel } from '../../features/lanes/lanes-panel.tsx'
import { useBreakerTroubles } from '../../features/traffic/breaker-troubles.ts'
import { FailingNow, useFailing } from '../../features/traffic/failing-now.tsx'
import { TrafficCard } from '../../features/traffic/traffic-card.tsx'
import { SchedulesPanel } from '../../features/workflows/schedules/schedules-panel.tsx'
import { useCan } from '../../lib/session/session.tsx'

/** The state of everything, as far as the user may see it. A new product in which all is well shows its first steps alone. */
export function HomeScreen() {
  const can = useCan()
  const troubles = useTroubles()
  const failing = useFailing()
  const isWell = failing.length === 0 && troubles.every(({ count }) => count === 0)
  const state = (
    <Stack gap="md">
      <FailingNow apis={failing} />
      {mayAct.some(can) && <WaitingPanel others={troubles} />}
      {can('api.view') && <SignInPanel />}
      <State />
    </Stack>
  )
  return (
    <HomePage>
      <FirstStepsPart beside={isWell ? can('api.view') && <ApisTile /> : state}>
        {state}
      </FirstStepsPart>
    </HomePage>
  )
}

const mayAct = ['run.view', 'workflow.view', 'api.view', 'alarm.view', 'archive.view'] as const

const useTroubles = () => [
  ...useAlarmTroubles(),
  ...useLaneTroubles(),
  ...useBreakerTroubles(),
  ...useSignInTroubles(),
  ...useArchiveTroubles(),
]

/** How everything is that asks for nobody. */
function State() {
  const can = useCan()
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        {can('run.view') && <DocumentsPanel />}
        <Stack gap="md">
          {can('dashboard.view') && <TrafficCard />}
          {can('api.view') && <ApisTile />}
        </Stack>
      </SimpleGrid>
      {can('workflow.view') && <LanesPanel />}
      <SimpleGrid cols={{ base: 1, md: can('audit.view') ? 2 : 1 }} style={{ alignItems: 'start' }}>
        <Stack gap="md">
          {can('workflow.view') && <SchedulesPanel />}
          {can('archive.view') && <ArchivePanel />}
        </Stack>
        {can('audit.view') && <LatestChanges />}
      </SimpleGrid>
    </>
  )
}
