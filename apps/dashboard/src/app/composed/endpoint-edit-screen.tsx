import { CallersPanel } from '../../features/access/access-panels.tsx'
import { EndpointEditPage } from '../../features/endpoints/endpoint-edit-page.tsx'
import { TryItPanel } from '../../features/try-it/try-it-panel.tsx'
import { useCan } from '../../lib/session.tsx'

export function EndpointEditScreen() {
  const can = useCan()
  return (
    <EndpointEditPage>
      {(endpoint) => (
        <>
          {can('request.send') && <TryItPanel key={endpoint.version} endpoint={endpoint} />}
          <CallersPanel endpointId={endpoint.id} />
        </>
      )}
    </EndpointEditPage>
  )
}
