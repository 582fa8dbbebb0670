import { IconPlayerPlay, IconUserCheck } from '@tabler/icons-react'
import { CallersPanel } from '../../features/access/access-panels.tsx'
import { EndpointEditPage } from '../../features/endpoints/endpoint-edit-page.tsx'
import { TryItPanel } from '../../features/try-it/try-it-panel.tsx'
import { ParametersTable } from '../../entities/endpoint/parameters-table.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { JumpButton } from '../../ui/page/jump-button.tsx'
import { Panel } from '../../ui/page/panel.tsx'

export function EndpointEditScreen() {
  const can = useCan()
  const [canSend, canSeeAccess] = [can('request.send'), can('api-permission.view')]
  const shortcuts = (
    <>
      {canSend && (
        <JumpButton to="try-it" icon={<IconPlayerPlay size={14} />}>
          Try it
        </JumpButton>
      )}
      {canSeeAccess && (
        <JumpButton to="callers" icon={<IconUserCheck size={14} />}>
          Callers
        </JumpButton>
      )}
    </>
  )
  return (
    <EndpointEditPage shortcuts={shortcuts}>
      {(endpoint, draft) => (
        <>
          {canSend && (
            <div id="try-it">
              <TryItPanel key={endpoint.version} endpoint={endpoint} draft={draft} />
            </div>
          )}
          {endpoint.parameters.length > 0 && (
            <Panel
              id="parameters"
              title="Parameters"
              subtitle="As in the document that this endpoint was imported from. What the gateway checks is under Validation."
            >
              <ParametersTable parameters={endpoint.parameters} label="Parameters" />
            </Panel>
          )}
          <div id="callers">
            <CallersPanel endpointId={endpoint.id} />
          </div>
        </>
      )}
    </EndpointEditPage>
  )
}
