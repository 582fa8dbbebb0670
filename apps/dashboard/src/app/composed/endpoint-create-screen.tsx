import { IconPlayerPlay } from '@tabler/icons-react'
import { EndpointCreatePage } from '../../features/endpoints/endpoint-create-page.tsx'
import { TryItPanel } from '../../features/try-it/try-it-panel.tsx'
import { useCan } from '../../lib/session/session.tsx'
import { JumpButton } from '../../ui/page/jump-button.tsx'

/** No role has access to a new endpoint: it is tried by users who could give it. */
export function EndpointCreateScreen() {
  const can = useCan()
  if (!can('request.send') || !can('api-permission.edit')) return <EndpointCreatePage />
  const shortcut = (
    <JumpButton to="try-it" icon={<IconPlayerPlay size={14} />}>
      Try it
    </JumpButton>
  )
  return (
    <EndpointCreatePage shortcuts={shortcut}>
      {(draft) => (
        <div id="try-it">
          <TryItPanel draft={draft} />
        </div>
      )}
    </EndpointCreatePage>
  )
}
