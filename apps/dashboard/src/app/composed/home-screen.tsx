import { SimpleGrid, Stack } from '@mantine/core'
import { useAlarmTroubles } from '../../features/alarms/alarm-troubles.ts'
import { SignInPanel } from '../../features/apis/sign-in-panel.tsx'
import { useSignInTroubles } from '../../features/apis/sign-in-troubles.ts'
import { LatestChanges } from '../../features/audit/latest-changes.tsx'
import { ArchivePanel } from '../../features/archive/archive-panel.tsx'
import { useArchiveTroubles } from '../../features/archive/archive-troubles.ts'
import { FirstStepsPart } from '../../features/first-steps/first-steps-part.tsx'
import { DocumentsPanel } from '../../features/home/documents-panel.tsx'
import { HomePage } from '../../features/home/home-page.tsx'
import { WaitingPanel } from '../../features/home/waiting-panel.tsx'
import { useLaneTroubles } from '../../features/lanes/lane-troubles.ts'
import { LanesPanel } from '../../features/lanes/lanes-panel.tsx'
import { useBreakerTroubles } from '../../features/traffic/breaker-troubles.ts'
import { TrafficCard } from '../../features/traffic/traffic-card.tsx'
import { SchedulesPanel } from '../../features/workflows/schedules/schedules-panel.tsx'
import { useCan } from '../../lib/session.tsx'

/** The state of everything, as far as the user may see it. */
export function HomeScreen() {
  const can = useCan()
  const troubles = [
    ...useAlarmTroubles(),
    ...useLaneTroubles(),
    ...useBreakerTroubles(),
    ...useSignInTroubles(),
    ...useArchiveTroubles(),
  ]
  const mayAct = (
    ['run.view', 'workflow.view', 'api.view', 'alarm.view', 'archive.view'] as const
  ).some(can)
  return (
    <HomePage>
      <Stack gap="md">
        <FirstStepsPart />
        {mayAct && <WaitingPanel others={troubles} />}
        {can('api.view') && <SignInPanel />}
        {can('run.view') && <DocumentsPanel />}
        {can('workflow.view') && <LanesPanel />}
        <SimpleGrid
          cols={{ base: 1, md: can('audit.view') ? 2 : 1 }}
          style={{ alignItems: 'start' }}
        >
          <Stack gap="md">
            {can('workflow.view') && <SchedulesPanel />}
            {can('dashboard.view') && <TrafficCard />}
            {can('archive.view') && <ArchivePanel />}
          </Stack>
          {can('audit.view') && <LatestChanges />}
        </SimpleGrid>
      </Stack>
    </HomePage>
  )
}
