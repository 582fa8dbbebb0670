import { SignInPanel } from '../../features/apis/sign-in-panel.tsx'
import { HomePage } from '../../features/home/home-page.tsx'
import { UnknownNotice } from '../../features/runs/unknown-notice.tsx'
import { TrafficPanel } from '../../features/traffic/traffic-panel.tsx'
import { useCan } from '../../lib/session.tsx'

export function HomeScreen() {
  const can = useCan()
  return (
    <HomePage notice={can('run.view') && <UnknownNotice />}>
      {can('api.view') && <SignInPanel />}
      {can('dashboard.view') && <TrafficPanel />}
    </HomePage>
  )
}
