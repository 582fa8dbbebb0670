import { RequestsLink } from '../../entities/requests-link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { TrafficPanel } from './traffic-panel.tsx'

/** The figures of the gateway, as a screen. */
export function TrafficPage() {
  return (
    <Page title="Gateway traffic" actions={<RequestsLink filter={{}} of="the gateway" />}>
      <TrafficPanel />
    </Page>
  )
}
