import { CallersPanel } from '../../features/access/access-panels.tsx'
import { EndpointEditPage } from '../../features/endpoints/endpoint-edit-page.tsx'
import { TryItPanel } from '../../features/try-it/try-it-panel.tsx'
import { ParametersTable } from '../../entities/endpoint/parameters-table.tsx'
import { useCan } from '../../lib/session.tsx'
import { Panel } from '../../ui/panel.tsx'

export function EndpointEditScreen() {
  const can = useCan()
  return (
    <EndpointEditPage>
      {(endpoint) => (
        <>
          {can('request.send') && <TryItPanel key={endpoint.version} endpoint={endpoint} />}
          {endpoint.parameters.length > 0 && (
            <Panel
              id="parameters"
              title="Parameters"
              subtitle="As the document says that this endpoint was imported from. The gateway passes them on and checks nothing."
            >
              <ParametersTable parameters={endpoint.parameters} label="Parameters" />
            </Panel>
          )}
          <CallersPanel endpointId={endpoint.id} />
        </>
      )}
    </EndpointEditPage>
  )
}
